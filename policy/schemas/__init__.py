"""What the API of judging takes and gives, one module per judgment."""

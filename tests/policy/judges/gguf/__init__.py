"""The judge and the server of a language model from a file."""

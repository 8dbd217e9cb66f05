"""What leaves the arena: documents for programs and downloads."""

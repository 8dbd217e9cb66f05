"""The agent of a language model from a file."""

"""The agent `gguf`: a language model from a file on this machine, held to the menu by a grammar."""

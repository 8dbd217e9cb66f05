"""A language model from a GGUF file that the user names: no key, no network, one server per worker process."""

"""The judges: who answers typed questions, and the registry that names them."""

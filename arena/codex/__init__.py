"""How a person lets Codex CLI in: their sign-in or a provider of theirs, and whether all that it needs is there."""

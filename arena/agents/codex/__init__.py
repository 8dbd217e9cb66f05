"""The agent `codex`: Codex CLI without a terminal, in a home of its own, with the lane's tools and no others."""

"""The pages about judging."""

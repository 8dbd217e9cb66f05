"""Commands of the policy room."""

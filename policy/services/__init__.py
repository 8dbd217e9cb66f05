"""What hosts of the engine do with it: judging for pages, API and programs, and the gate before a tool call."""

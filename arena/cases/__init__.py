"""Cases: tasks with their world, their restrictions, the tools that are enough, and a check that runs."""

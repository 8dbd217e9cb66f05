"""What a reader sees while a run runs: rows after a number, a doorbell, a socket."""

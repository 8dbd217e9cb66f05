"""What judging used: figures over the ledger, never mixed with what agents used."""

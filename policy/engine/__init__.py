"""Pure decisions: typed questions and their answers go in, plans and receipts come out; no I/O, no Django."""

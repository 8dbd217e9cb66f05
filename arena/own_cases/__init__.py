"""Cases of a person's own: written in a form or imported, checked like those of the files, versioned by digest."""

"""Standing orders: as data, as text, what each would do, and carrying them out."""

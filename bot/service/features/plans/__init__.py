"""Plans at work: kept, shown only to their owners, carried out with the move before; the passes that need no plan."""

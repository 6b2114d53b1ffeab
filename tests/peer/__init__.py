"""Games played here and by the engine of 18xx.games beside each other."""

"""Games of 18xx.games as our actions, and back."""

"""Games of 18xx.games as our actions, and back: the language of their files, and a dialect for each title that both play."""

"""A title and a state make a game: steps are asked, actions applied, reactions run."""

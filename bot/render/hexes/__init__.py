"""One space of a map as shapes: ground, track, stops, signs, tokens."""

"""The ground: spaces, tiles, what may replace what, track as a graph, and who reaches what."""

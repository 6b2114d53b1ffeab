"""All routes of a train, each once."""

"""Work that may wait: jobs of known kinds, plain data in and out, done by processes here or by the workers of a server."""

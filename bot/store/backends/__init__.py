"""How a database is reached: SQLite's file or PostgreSQL's server. Only these modules know what differs between the
two."""

"""How a database is reached: SQLite's file or PostgreSQL's server. What differs between the two stands here alone."""

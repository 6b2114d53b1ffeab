"""The database as a file: who holds it, who may read it, copies of it, its form."""

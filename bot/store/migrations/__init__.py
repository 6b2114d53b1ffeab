"""Numbered changes of the tables; Alembic reads them."""

"""Play by mail: letters are read and obeyed, turns and news are written. Imported only where mail is used."""

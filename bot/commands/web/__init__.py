"""The board page: a game in the browser, drawn by the server, live, by link. Imported only where it is served."""

"""Golden play-throughs: a game of every title as a text that is read; `make golden` writes them anew."""

"""Computer players: one pure function chooses a move of a position (`choosing.choose`), and says why. They use the
engine as anybody outside it, and know no more than a player in their seat. Chance plays too, under all audits
(`selfplay`)."""

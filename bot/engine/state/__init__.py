"""Plain data: actions, events, the state, what lies on the board. No rule is here."""

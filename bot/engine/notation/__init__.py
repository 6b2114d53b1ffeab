"""The words of actions: what a verb is, and the verbs that titles share."""

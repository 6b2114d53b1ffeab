"""`signalbox bench`: speeds on this machine. Timing belongs here, never in a test."""

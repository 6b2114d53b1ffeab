"""The parts that keep a table running for months: backups and their proof, logs, health, the limits on what people may
ask."""

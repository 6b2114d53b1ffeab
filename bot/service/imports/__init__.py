"""Games in and out: files, and the process that replays them."""

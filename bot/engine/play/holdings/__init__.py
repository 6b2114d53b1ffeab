"""What owners hold, and what it is worth: money, certificates, trains, the stock market."""

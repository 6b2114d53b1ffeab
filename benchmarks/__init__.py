"""Campaigns of measurement that only a checkout has: `signalbox bench --load`, `signalbox bench --database`."""

"""The tile sheet of 1848 (tile manifest, last page of the rules)."""

from __future__ import annotations

from bot.engine.map.tilesheet import parse_tiles

TILES = parse_tiles(
    """
    1 yellow x1 town:10 town:10 | 1-t0 t0-3 0-t1 t1-4
    2 yellow x1 town:10 town:10 | 0-t0 t0-3 1-t1 t1-2
    5 yellow x3 city:20 | 0-c0 1-c0
    6 yellow x4 city:20 | 0-c0 2-c0
    7 yellow x4 | 0-1
    8 yellow x9 | 0-2
    9 yellow x12 | 0-3
    14 green x3 city:30/2 | 0-c0 1-c0 3-c0 4-c0
    15 green x6 city:30/2 | 0-c0 1-c0 2-c0 3-c0
    16 green x1 | 0-2 1-3
    18 green x1 | 0-3 1-2
    19 green x1 | 0-3 2-4
    20 green x1 | 0-3 1-4
    23 green x2 | 0-3 0-4
    24 green x2 | 0-3 0-2
    25 green x2 | 0-2 0-4
    26 green x1 | 0-3 0-5
    27 green x1 | 0-3 0-1
    28 green x1 | 0-4 0-5
    29 green x1 | 0-2 0-1
    30 green x1 | 0-4 0-1
    31 green x1 | 0-2 0-5
    39 brown x1 | 0-2 0-1 1-2
    40 brown x1 | 0-2 2-4 0-4
    41 brown x1 | 0-3 0-1 1-3
    42 brown x1 | 0-3 3-5 0-5
    43 brown x1 | 0-3 0-2 1-3 1-2
    44 brown x1 | 0-3 1-4 0-1 3-4
    45 brown x1 | 0-3 2-4 0-4 2-3
    46 brown x1 | 0-3 2-4 3-4 0-2
    47 brown x1 | 0-3 1-4 1-3 0-4
    55 yellow x1 town:10 town:10 | 0-t0 t0-3 1-t1 t1-4
    56 yellow x1 town:10 town:10 | 0-t0 t0-2 1-t1 t1-3
    57 yellow x3 city:20 | 0-c0 c0-3
    59 green x2 'OO' city:40 city:40 | 0-c0 2-c1
    64 brown x1 'OO' city:50 city:50 | 0-c0 c0-2 3-c1 c1-4
    65 brown x1 'OO' city:50 city:50 | 0-c0 c0-4 2-c1 c1-3
    66 brown x1 'OO' city:50 city:50 | 0-c0 c0-3 1-c1 c1-2
    67 brown x1 'OO' city:50 city:50 | 0-c0 c0-3 2-c1 c1-4
    68 brown x1 'OO' city:50 city:50 | 0-c0 c0-3 1-c1 c1-4
    69 yellow x1 town:10 town:10 | 0-t0 t0-3 2-t1 t1-4
    70 brown x1 | 0-1 0-2 1-3 2-3
    235 yellow x3 'OO' city:30 city:30 | 0-c0
    236 green x1 'K' city:40/2 | 0-c0 1-c0 3-c0
    237 green x1 'K' city:40/2 | 0-c0 5-c0 3-c0
    238 green x2 'K' city:40/2 | 0-c0 1-c0 2-c0
    239 brown x3 'K' city:60/3 | 0-c0 1-c0 2-c0 3-c0
    240 gray x2 'K' city:80/3 | 0-c0 1-c0 2-c0 3-c0
    241 blue x1 'TAS' *anchor offboard:50 | 2-o0! 1-o0!
    611 brown x4 city:40/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    915 gray x1 city:50/3 | 0-c0 1-c0 2-c0 3-c0 4-c0
    """
)

"""The tile sheet of 18BF The Big Four.

London (BF9, BF10, BF11) has one city of two places at each edge, as on the map, and a label of its own: these tiles are
reserved for it (18BF §10.4).
"""

from __future__ import annotations

from bot.engine.map.tilesheet import parse_tiles

TILES = parse_tiles(
    """
    3 yellow x4 town:10 | 0-t0 t0-1
    4 yellow x12 town:10 | 0-t0 t0-3
    5 yellow x6 city:20 | 0-c0 1-c0
    6 yellow x6 city:20 | 0-c0 2-c0
    7 yellow x* | 0-1
    8 yellow x* | 0-2
    9 yellow x* | 0-3
    57 yellow x6 city:20 | 0-c0 c0-3
    58 yellow x10 town:10 | 0-t0 t0-2
    201 yellow x4 'Y' city:30 | 0-c0 1-c0
    202 yellow x4 'Y' city:30 | 0-c0 2-c0
    621 yellow x4 'Y' city:30 | 0-c0 c0-3
    14 green x4 city:30/2 | 0-c0 1-c0 3-c0 4-c0
    15 green x10 city:30/2 | 0-c0 1-c0 2-c0 3-c0
    16 green x2 | 0-2 1-3
    17 green x2 | 1-3 0-4
    18 green x2 | 0-3 1-2
    19 green x2 | 0-3 2-4
    20 green x2 | 0-3 1-4
    21 green x1 | 0-2 3-4
    22 green x1 | 0-4 2-3
    23 green x8 | 0-3 0-4
    24 green x8 | 0-3 0-2
    25 green x4 | 0-2 0-4
    26 green x2 | 0-3 0-5
    27 green x2 | 0-3 0-1
    28 green x2 | 0-4 0-5
    29 green x2 | 0-2 0-1
    30 green x1 | 0-4 0-1
    31 green x1 | 0-2 0-5
    87 green x5 town:10 | 0-t0 1-t0 2-t0 3-t0
    88 green x5 town:10 | 0-t0 1-t0 3-t0 4-t0
    204 green x5 town:10 | 0-t0 2-t0 3-t0 4-t0
    207 green x6 'Y' city:40/2 | 0-c0 1-c0 2-c0 3-c0
    208 green x4 'Y' city:40/2 | 0-c0 1-c0 3-c0 4-c0
    619 green x4 city:30/2 | 0-c0 2-c0 3-c0 4-c0
    622 green x4 'Y' city:40/2 | 0-c0 2-c0 3-c0 4-c0
    BF1 green x2 'BGM' city:40 city:40 city:40 | 0-c0 1-c1 2-c2 3-c0 4-c1 5-c2
    BF4 green x2 'BGM' city:40 city:40 city:40 | 0-c0 1-c1 2-c2 3-c2 4-c1 5-c0
    BF5 green x2 'BGM' city:40 city:40 city:40 | 0-c0 1-c1 2-c1 3-c2 4-c2 5-c0
    BF9 green x1 'London' city:50/2 city:50/2 city:50/2 city:50/2 city:50/2 city:50/2 | 0-c0 1-c1 2-c2 3-c3 4-c4 5-c5
    BF12 green x1 'L' city:40@2.5 city:40@4 city:40@5.5 | 3-c0 4-c1 5-c2
    39 brown x2 | 0-2 0-1 1-2
    40 brown x2 | 0-2 2-4 0-4
    41 brown x2 | 0-3 0-1 1-3
    42 brown x2 | 0-3 3-5 0-5
    43 brown x2 | 0-3 0-2 1-3 1-2
    44 brown x2 | 0-3 1-4 0-1 3-4
    45 brown x2 | 0-3 2-4 0-4 2-3
    46 brown x2 | 0-3 2-4 3-4 0-2
    47 brown x2 | 0-3 1-4 1-3 0-4
    63 brown x5 city:40/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    70 brown x1 | 0-1 0-2 1-3 2-3
    216 brown x2 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    448 brown x3 city:40/2 | 0-c0 1-c0 2-c0 3-c0
    611 brown x2 city:40/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    623 brown x4 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    801 brown x3 'Y' city:50/2 | 0-c0 1-c0 2-c0 3-c0
    911 brown x2 town:10 | 0-t0 1-t0 2-t0 3-t0 4-t0
    BF6 brown x3 'BGM' city:50/2 city:50 | 0-c1 1-c0 2-c0 3-c0 4-c0 5-c1
    BF7 brown x3 'BGM' city:50/2 city:50 | 0-c0 1-c1 2-c0 3-c0 4-c1 5-c0
    BF10 brown x1 'London' city:70/2 city:70/2 city:70/2 city:70/2 city:70/2 city:70/2 | 0-c0 1-c1 2-c2 3-c3 4-c4 5-c5
    BF13 brown x1 'L' city:50/3 | 3-c0 4-c0 5-c0
    49 gray x1 'L' city:70/3 | 0-c0 1-c0 2-c0
    BF11 gray x1 'London' city:100/2 city:100/2 city:100/2 city:100/2 city:100/2 city:100/2 | 0-c0 1-c1 2-c2 3-c3 4-c4 5-c5
    BF14 gray x4 'BGM' city:70/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    """
)

"""The tile sheet of 1830. New York (54, 62) and the cities marked B (53, 61) have tiles of their own."""

from __future__ import annotations

from bot.engine.map.tilesheet import parse_tiles

TILES = parse_tiles(
    """
    1 yellow x1 town:10 town:10 | 1-t0 t0-3 0-t1 t1-4
    2 yellow x1 town:10 town:10 | 0-t0 t0-3 1-t1 t1-2
    3 yellow x2 town:10 | 0-t0 t0-1
    4 yellow x2 town:10 | 0-t0 t0-3
    7 yellow x4 | 0-1
    8 yellow x8 | 0-2
    9 yellow x7 | 0-3
    55 yellow x1 town:10 town:10 | 0-t0 t0-3 1-t1 t1-4
    56 yellow x1 town:10 town:10 | 0-t0 t0-2 1-t1 t1-3
    57 yellow x4 city:20 | 0-c0 c0-3
    58 yellow x2 town:10 | 0-t0 t0-2
    69 yellow x1 town:10 town:10 | 0-t0 t0-3 2-t1 t1-4
    14 green x3 city:30/2 | 0-c0 1-c0 3-c0 4-c0
    15 green x2 city:30/2 | 0-c0 1-c0 2-c0 3-c0
    16 green x1 | 0-2 1-3
    18 green x1 | 0-3 1-2
    19 green x1 | 0-3 2-4
    20 green x1 | 0-3 1-4
    23 green x3 | 0-3 0-4
    24 green x3 | 0-3 0-2
    25 green x1 | 0-2 0-4
    26 green x1 | 0-3 0-5
    27 green x1 | 0-3 0-1
    28 green x1 | 0-4 0-5
    29 green x1 | 0-2 0-1
    53 green x2 'B' city:50 | 0-c0 2-c0 4-c0
    54 green x1 'NY' city:60@0.5 city:60@2.5 | 0-c0 c0-1 2-c1 c1-3
    59 green x2 'OO' city:40 city:40 | 0-c0 2-c1
    39 brown x1 | 0-2 0-1 1-2
    40 brown x1 | 0-2 2-4 0-4
    41 brown x2 | 0-3 0-1 1-3
    42 brown x2 | 0-3 3-5 0-5
    43 brown x2 | 0-3 0-2 1-3 1-2
    44 brown x1 | 0-3 1-4 0-1 3-4
    45 brown x2 | 0-3 2-4 0-4 2-3
    46 brown x2 | 0-3 2-4 3-4 0-2
    47 brown x1 | 0-3 1-4 1-3 0-4
    61 brown x2 'B' city:60 | 0-c0 2-c0 3-c0 4-c0
    62 brown x1 'NY' city:80/2 city:80/2 | 0-c0 c0-1 2-c1 c1-3
    63 brown x3 city:40/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    64 brown x1 'OO' city:50 city:50@3.5 | 0-c0 c0-2 3-c1 c1-4
    65 brown x1 'OO' city:50 city:50@2.5 | 0-c0 c0-4 2-c1 c1-3
    66 brown x1 'OO' city:50 city:50@1.5 | 0-c0 c0-3 1-c1 c1-2
    67 brown x1 'OO' city:50 city:50 | 0-c0 c0-3 2-c1 c1-4
    68 brown x1 'OO' city:50 city:50 | 0-c0 c0-3 1-c1 c1-4
    70 brown x1 | 0-1 0-2 1-3 2-3
    """
)

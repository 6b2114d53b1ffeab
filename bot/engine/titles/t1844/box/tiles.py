"""The tile sheet of 1844 Switzerland."""

from __future__ import annotations

from bot.engine.map.tilesheet import parse_tiles

TILES = parse_tiles(
    """
    3 yellow x3 town:10 | 0-t0 t0-1
    4 yellow x6 town:10 | 0-t0 t0-3
    5 yellow x5 city:20 | 0-c0 1-c0
    6 yellow x6 city:20 | 0-c0 2-c0
    7 yellow x5 | 0-1
    8 yellow x11 | 0-2
    9 yellow x11 | 0-3
    14 green x4 city:30/2 | 0-c0 1-c0 3-c0 4-c0
    15 green x7 city:30/2 | 0-c0 1-c0 2-c0 3-c0
    16 green x2 | 0-2 1-3
    19 green x2 | 0-3 2-4
    20 green x2 | 0-3 1-4
    23 green x6 | 0-3 0-4
    24 green x6 | 0-3 0-2
    25 green x2 | 0-2 0-4
    26 green x2 | 0-3 0-5
    27 green x2 | 0-3 0-1
    28 green x2 | 0-4 0-5
    29 green x2 | 0-2 0-1
    39 brown x1 | 0-2 0-1 1-2
    40 brown x1 | 0-2 2-4 0-4
    41 brown x1 | 0-3 0-1 1-3
    42 brown x1 | 0-3 3-5 0-5
    43 brown x1 | 0-3 0-2 1-3 1-2
    44 brown x1 | 0-3 1-4 0-1 3-4
    45 brown x1 | 0-3 2-4 0-4 2-3
    46 brown x1 | 0-3 2-4 3-4 0-2
    47 brown x1 | 0-3 1-4 1-3 0-4
    57 yellow x6 city:20 | 0-c0 c0-3
    58 yellow x6 town:10 | 0-t0 t0-2
    59 green x2 'OO' city:40 city:40 | 0-c0 2-c1
    64 brown x1 'OO' city:50 city:50@3.5 | 0-c0 c0-2 3-c1 c1-4
    65 brown x1 'OO' city:50 city:50@2.5 | 0-c0 c0-4 2-c1 c1-3
    66 brown x1 'OO' city:50 city:50@1.5 | 0-c0 c0-3 1-c1 c1-2
    67 brown x1 'OO' city:50 city:50 | 0-c0 c0-3 2-c1 c1-4
    68 brown x1 'OO' city:50 city:50 | 0-c0 c0-3 1-c1 c1-4
    70 brown x1 | 0-1 0-2 1-3 2-3
    87 green x2 town:10 | 0-t0 1-t0 2-t0 3-t0
    88 green x2 town:10 | 0-t0 1-t0 3-t0 4-t0
    204 green x2 town:10 | 0-t0 2-t0 3-t0 4-t0
    611 brown x6 city:40/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    619 green x4 city:30/2 | 0-c0 2-c0 3-c0 4-c0
    901 green x1 'L' city:40@0.5 city:40@2.5 | 0-c0 1-c0 2-c1 3-c1
    902 brown x1 'L' city:50/2 | 0-c0 3-c0 4-c0 5-c0
    903 gray x1 'L' city:60/3 | 0-c0 1-c0 2-c0 3-c0
    904 green x1 'B' city:40/2 | 0-c0 1-c0 3-c0 4-c0 5-c0
    905 brown x1 'B' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    906 gray x1 'B' city:60/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    907 green x1 'Z' city:40/2 | 0-c0 2-c0 3-c0
    908 green x1 'Z' city:40/2 | 0-c0 3-c0 4-c0
    909 brown x1 'Z' city:50/3 | 0-c0 3-c0 4-c0 5-c0
    910 gray x1 'Z' city:60/4 | 0-c0 1-c0 2-c0 3-c0 4-c0
    911 brown x2 town:10 | 0-t0 1-t0 3-t0 4-t0 5-t0
    915 gray x2 city:50/3 | 0-c0 1-c0 2-c0 3-c0 4-c0
    XM1 gray x2 offboard:10,20,50,80
    XM2 gray x2 offboard:10,40,50,60
    XM3 gray x2 offboard:10,50,80,10
    X78 purple x5 | 0-2~
    X79 purple x5 | 0-3~
    OP1 purple x1 hidden | 3-5
    OP2 purple x3 hidden | 1-4
    OP3 purple x1 hidden town:10@4 | 0-t0 4-t0
    """
)

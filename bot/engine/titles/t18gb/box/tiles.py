"""The tile sheet of 18GB."""

from __future__ import annotations

from bot.engine.map.tilesheet import parse_tiles

TILES = parse_tiles(
    """
    G02 yellow x3 'XX' city:30 city:0@3.5 | 0-c0 c0-2
    G03 yellow x2 'XX' city:30 city:0@1.5 | 0-c0 c0-3
    G18 yellow x3 'OO' city:20 city:0@1.5 | 0-c0 c0-3
    G19 yellow x4 'OO' city:20 city:0@3.5 | 0-c0 c0-2
    G39 yellow x1 city:10 | 0-c0 1-c0
    G40 yellow x4 city:10 | 0-c0 2-c0
    G41 yellow x3 city:10 | 0-c0 c0-3
    3 yellow x* town:10 | 0-t0 t0-1
    4 yellow x* town:10 | 0-t0 t0-3
    7 yellow x* | 0-1
    8 yellow x* | 0-2
    9 yellow x* | 0-3
    58 yellow x* town:10 | 0-t0 t0-2
    G04 green x1 'XX' city:40 city:40 | 1-c0 c0-5 2-c1 c1-4
    G05 green x2 'XX' city:40 city:40 | 0-c0 c0-3 2-c1 c1-4
    G06 green x1 'XX' city:40 city:40 | 0-c0 c0-3 1-c1 c1-4
    G08 green x1 'XX' city:40 city:40@3.5 | 0-c0 c0-2 3-c1 c1-4
    G09 green x1 'XX' city:40 city:40@2.5 | 0-c0 c0-4 2-c1 c1-3
    G10 green x2 'XX' city:40 city:40 | 0-c0 c0-2 1-c1 c1-3
    G11 green x1 'XX' city:40 city:40@1.5 | 0-c0 c0-3 1-c1 c1-2
    G21 green x2 'OO' city:30 city:30 | 0-c0 c0-3 2-c1 c1-4
    G22 green x2 'OO' city:30 city:30 | 0-c0 c0-3 1-c1 c1-4
    G24 green x1 'OO' city:30 city:30@3.5 | 0-c0 c0-2 3-c1 c1-4
    G25 green x1 'OO' city:30 city:30@2.5 | 0-c0 c0-4 2-c1 c1-3
    G26 green x2 'OO' city:30 city:30 | 0-c0 c0-2 1-c1 c1-3
    G27 green x1 'OO' city:30 city:30@1.5 | 0-c0 c0-3 1-c1 c1-2
    G28 green x2 'OO' city:30 city:30 | 1-c0 c0-5 2-c1 c1-4
    G36 green x4 city:20 | 0-c0 1-c0 3-c0 4-c0
    G37 green x4 city:20 | 0-c0 1-c0 2-c0 3-c0
    G38 green x4 city:20 | 0-c0 2-c0 3-c0 4-c0
    16 green x1 | 0-2 1-3
    17 green x1 | 1-3 0-4
    18 green x1 | 0-3 1-2
    19 green x2 | 0-3 2-4
    20 green x1 | 0-3 1-4
    21 green x1 | 0-2 3-4
    22 green x1 | 0-4 2-3
    23 green x5 | 0-3 0-4
    24 green x5 | 0-3 0-2
    25 green x3 | 0-2 0-4
    26 green x2 | 0-3 0-5
    27 green x2 | 0-3 0-1
    28 green x2 | 0-4 0-5
    29 green x2 | 0-2 0-1
    87 green x5 town:10 | 0-t0 1-t0 2-t0 3-t0
    88 green x4 town:10 | 0-t0 1-t0 3-t0 4-t0
    204 green x4 town:10 | 0-t0 2-t0 3-t0 4-t0
    G13 brown x1 'XX' city:60@2 city:60@5 | 1-c0 2-c0 3-c0 4-c1 5-c1 0-c1
    G14 brown x4 'XX' city:60@2 city:60@5 | 1-c0 2-c0 4-c0 3-c1 5-c1 0-c1
    G15 brown x3 'XX' city:60@2 city:60@5 | 0-c0 2-c0 4-c0 1-c1 3-c1 5-c1
    G30 brown x7 'OO' city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    G34 brown x6 city:30/2 | 0-c0 1-c0 2-c0 3-c0 4-c0
    40 brown x1 | 0-2 2-4 0-4
    41 brown x1 | 0-3 0-1 1-3
    42 brown x1 | 0-3 3-5 0-5
    43 brown x2 | 0-3 0-2 1-3 1-2
    44 brown x2 | 0-3 1-4 0-1 3-4
    45 brown x2 | 0-3 2-4 0-4 2-3
    46 brown x2 | 0-3 2-4 3-4 0-2
    47 brown x2 | 0-3 1-4 1-3 0-4
    911 brown x4 town:10 | 0-t0 1-t0 2-t0 3-t0 4-t0
    G32 blue x1 'FT' *plus_40 | 0-3 1-2 4-5=
    G33 blue x1 'S' *plus_30 | 2-3 2-4 2-5= 5-0
    G31 gray x2 'OO' city:50/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    G35 gray x2 city:30/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    912 gray x2 town:10 | 0-t0 1-t0 2-t0 3-t0 4-t0 5-t0
    """
)

"""The map of 1830. Rows are letters, numbers run along the row."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    A9 red joint@4 offboard:(yellow=30,brown=50)[Canada] | 5-o0
    A11 red "Canadian West" joint@1 offboard:yellow=30,brown=50[Canada] | 5-o0 0-o0
    A17 gray | 0-5
    A19 gray "Montreal" home:CPR city:40 | 5-c0 0-c0
    B10 white "Barrie" city:0
    B12 B14 white
    B16 white "Ottawa" wall@5 city:0
    B18 white water:80
    B20 white "Burlington" private:CS town:0
    B22 white
    B24 red "Maritime Provinces" offboard:yellow=20,brown=30 | 1-o0 0-o0
    C7 C9 white
    C11 white wall@5
    C13 white wall@0
    C15 gray "Kingston" town:10 | 1-t0 3-t0
    C17 white mountain:120 wall@2
    C19 white water:80
    C21 white mountain:120
    C23 white
    D2 gray "Lansing" city:20 | 5-c0 4-c0
    D4 white "Flint" town:0
    D6 white water:80
    D8 white
    D10 yellow "Hamilton & Toronto" water:80 'OO' city:0 city:0
    D12 white wall@2,3
    D14 gray "Rochester" city:20 | 1-c0 4-c0 0-c0
    D16 white
    D18 white private:MH
    D20 white
    D22 white mountain:120
    D24 gray | 1-0
    E3 white
    E5 yellow "Detroit & Windsor" water:80 'OO' city:0 city:0
    E7 white "London" wall@5 town:0
    E9 gray | 2-3
    E11 yellow "Dunkirk & Buffalo" home:ERIE 'OO' city:0 city:0
    E13 E15 white
    E17 white mountain:120
    E19 white "Albany" home:NYC city:0
    E21 white mountain:120
    E23 yellow "Boston" home:B&M 'B' city:30 | 3-c0 5-c0
    F2 red "Chicago" offboard:yellow=40,brown=70 | 3-o0 4-o0 5-o0
    F4 white "Toledo" water:80 city:0
    F6 gray "Cleveland" home:C&O city:30 | 5-c0 0-c0
    F8 white wall@2
    F10 white "Erie" town:0
    F12 F14 white
    F16 white "Scranton" mountain:120 private:DH city:0
    F18 white
    F20 white "New Haven & Hartford" town:0 town:0
    F22 white "Providence" water:80 city:0
    F24 gray "Mansfield" town:10 | 1-t0 2-t0
    G3 G5 white
    G7 white "Akron & Canton" town:0 town:0
    G9 G11 white
    G13 white mountain:120
    G15 white mountain:120 private:SV
    G17 white "Reading & Allentown" town:0 town:0
    G19 yellow "New York & Newark" water:80 home:NYNH/0 'NY' city:40 city:40 | 3-c0 0-c1
    H2 white
    H4 white "Columbus" city:0
    H6 H8 white
    H10 white "Pittsburgh" city:0
    H12 gray "Altoona" home:PRR city:10@2.5 | 1-c0 4-c0 1-4
    H14 white
    H16 white "Lancaster" city:0
    H18 yellow "Philadelphia & Trenton" private:CA 'OO' city:0 city:0
    I1 red joint@5 offboard:(yellow=30,brown=60)[Gulf] | 4-o0
    I3 I5 I7 I9 white
    I11 white mountain:120
    I13 white private:BO
    I15 yellow "Baltimore" home:B&O private:BO 'B' city:30 | 4-c0 0-c0
    I17 white water:80
    I19 gray "Atlantic City" town:10 | 1-t0 2-t0
    J2 red "Gulf" joint@2 offboard:yellow=30,brown=60[Gulf] | 3-o0 4-o0
    J4 J6 J8 white
    J10 J12 white mountain:120
    J14 white "Washington" water:80 city:0
    K13 red "Deep South" offboard:yellow=30,brown=40 | 2-o0 3-o0
    K15 gray "Richmond" city:20 | 2-c0
    """,
    Layout(is_flat=False, letter_is_x=False),
)

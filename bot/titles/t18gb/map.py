"""The map of 18GB. Letters run from left to right; the two bonus boxes at the left are no spaces."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    G0 red "Fort William" *north offboard:yellow=10,blue=20,gray=30 | 0-o0
    I0 red "Inverness" *north offboard:yellow=10,blue=30,gray=50 | 0-o0
    K0 red "Aberdeen" *north *east offboard:yellow=30,blue=40,gray=50 | 0-o0 5-o0
    J1 white
    L1 gray "Arbroath" town:10 | 1-t0 2-t0
    G2 white mountain=50@5
    I2 white "Perth" city:0
    K2 white private:AF
    F3 gray | 4-5 5-0
    H3 white "Stirling" mountain=50@2 town:0
    J3 white "Dundee" city:0
    G4 white "Glasgow" home:CR 'XX' city:0 city:0
    I4 blue open river:50 'FT' | 1-2
    K4 gray | 2-3
    F5 white "Ayr" home:GSWR city:0
    H5 white "Coatbridge" town:0
    J5 gray | 0-1 1-2
    E6 red "Stranraer" *west offboard:yellow=10,blue=20,gray=30 | 4-o0 5-o0
    G6 white "Motherwell" town:0
    I6 white "Edinburgh" home:NBR 'OO' city:0 city:0
    F7 white
    H7 white mountain=50@5
    J7 white "Berwick" town:0
    G8 gray "Dumfries" town:10 | 2-t0 t0-5 3-5
    I8 white mountain=50@0,1,2
    H9 white "Carlisle" kept:MC mountain=50@4 city:0
    J9 white mountain=50@1
    G10 white private:MC mountain=50@5
    I10 white mountain=50@0,1,3,4
    K10 gray | 1-2
    H11 white mountain=50@0,2,4,5
    J11 white "Newcastle" 'OO' city:0 city:0
    G12 white "Lancaster" mountain=50@0,5 town:0
    I12 white "Darlington" private:SD mountain=50@2,3 town:0
    K12 gray | 1-2
    F13 gray | 1-5 4-5
    H13 white mountain=50@1,2,3
    J13 white "Middlesbrough" home:NER mountain=50@0 city:0
    C14 red "Holyhead" *west offboard:yellow=10,blue=20,gray=30 | 5-o0
    E14 red "Liverpool" offboard:yellow=20,blue=40,gray=50 | 4-o0 5-o0
    G14 white "Preston" mountain=50@3,4 'OO' city:0 city:0
    I14 white "York" kept:GN city:0
    D15 gray | 2-5
    F15 white private:LM
    H15 white "Leeds" home:LYR 'XX' city:0 city:0
    J15 white mountain=50@3
    C16 red "Aberystwyth" *west offboard:yellow=10,blue=20,gray=30 | 1-o0 5-o0
    E16 white private:CH mountain=50@1
    G16 white "Manchester" 'XX' city:0 city:0
    I16 white "Doncaster" town:0
    K16 red "Hull" joint@1 offboard:yellow=20,blue=40,gray=50
    B17 white mountain=50@0,5
    D17 white mountain=50@1,4
    F17 white "Crewe" town:0
    H17 white "Sheffield" home:MSLR mountain=50@1 'OO' city:0 city:0
    J17 red joint@4,5 offboard:(yellow=20,blue=40,gray=50) offboard:(yellow=20,blue=20,gray=20) | 3-o0 0-o1
    A18 white
    C18 white mountain=50@2,4
    E18 white "Shrewsbury" town:0
    G18 white "Stoke" mountain=50@4 city:0
    I18 white private:GN
    K18 red "Grimsby" joint@2 offboard:yellow=20,blue=20,gray=20
    a19 red "Pembroke" *west offboard:yellow=10,blue=20,gray=30 | 5-o0
    B19 white mountain=50@3,5
    D19 white mountain=50@1,5
    F19 white
    H19 white "Derby" home:MR city:0
    J19 white
    A20 white "Swansea" home:SWR city:0
    C20 white "Merthyr Tydfil" private:TV mountain=50@2,4,5 town:0
    E20 white mountain=50@2
    G20 white
    I20 white "Lincoln" town:0
    B21 white "Cardiff" 'OO' city:0 city:0
    D21 white "Worcester" mountain=50@2,5 town:0
    F21 white "Birmingham" home:LNWR private:LB 'XX' city:0 city:0
    H21 white "Leicester" private:LS 'OO' city:0 city:0
    J21 gray | 1-3
    A22 gray "Bridgend" town:10 | 3-t0 4-t0
    C22 blue open river:50 'S' | 2-4 5-0
    E22 white mountain=50@2
    G22 white "Coventry" town:0
    I22 white "Peterborough" town:0
    K22 red "Norwich" *east offboard:yellow=10,blue=20,gray=30 | 0-o0 1-o0
    B23 gray
    D23 white "Bristol" home:GWR 'OO' city:0 city:0
    F23 white "Oxford" town:0
    H23 J23 A24 white
    C24 white "Taunton" town:0
    E24 G24 white mountain=50@1
    I24 white
    K24 gray | 1-2 1-3
    a25 red "Plymouth" *south *west offboard:yellow=20,blue=40,gray=50 | 4-o0
    B25 white
    D25 white "Salisbury" home:LSWR mountain=50@4 city:0
    F25 white "Reading" mountain=50@4 town:0
    H25 white
    J25 white "Ipswich" home:GER city:0
    C26 white
    E26 white "Basingstoke" town:0
    G26 red "London" *south *east offboard:yellow=30,green=40,blue=50,brown=60,gray=70 | 1-o0 2-o0 3-o0 4-o0 5-o0
    I26 white "Colchester" town:0
    D27 red "Southampton" *south offboard:yellow=10,blue=30,gray=50 | 2-o0 3-o0 4-o0
    F27 H27 white
    J27 red "Harwich" *south *east offboard:yellow=10,blue=20,gray=30 | 2-o0 3-o0
    """,
    Layout(is_flat=True, letter_is_x=True),
)

MAP_NORTH_SOUTH = MAP.scenario_map(
    without="""
    C14 D15 C16 B17 A18 C18 a19 B19 A20 C20 B21 A22 C22 B23 A24 C24 a25 B25 C26
    """,
    instead="""
    F5 white "Ayr" city:0
    H9 white "Carlisle" mountain=50@4 city:0
    G10 white mountain=50@5
    E16 white mountain=50@1
    D17 white mountain=50@4
    H17 white "Sheffield" mountain=50@1 'OO' city:0 city:0
    D19 white mountain=50@5
    D21 white "Worcester" mountain=50@5 town:0
    D23 red "Bristol" offboard:yellow=20,blue=40,gray=50 | 3-o0 4-o0 5-o0
    D25 red "Salisbury" mountain=50@4 offboard:yellow=10,blue=20,gray=30 | 4-o0 5-o0
    J25 white "Ipswich" city:0
    D27 red "Southampton" *south offboard:yellow=10,blue=30,gray=50 | 4-o0
    """,
)
"""For two players in the north."""

MAP_EAST_WEST = MAP.scenario_map(
    without="""
    G0 I0 K0 J1 L1 G2 I2 K2 F3 H3 J3 G4 I4 K4 F5 H5 J5 E6 G6 I6 F7 H7 J7 G8 I8 J9 K10
    """,
    instead="""
    H9 red "Carlisle" *north offboard:yellow=10,blue=20,gray=30 | 0-o0 1-o0
    G10 white mountain=50@5
    I10 gray mountain=50@0,1 junction | 0-j0! 1-j0!
    J11 red "Newcastle" *north offboard:yellow=20,blue=40,gray=50 | 0-o0 1-o0 5-o0
    I12 white "Darlington" mountain=50@2,3 town:0
    J13 white "Middlesbrough" mountain=50@0 city:0
    H15 white "Leeds" 'XX' city:0 city:0
    H17 white "Sheffield" mountain=50@1 'OO' city:0 city:0
    """,
)
"""For two players in the south."""

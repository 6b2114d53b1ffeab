"""The map of 1861. Columns are letters, numbers run down the column."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    P0 gray | 0-1
    E1 green "St. Petersburg" home:SPW/0 'S' city:40 city:40 | 1-c0 c1-5
    O1 white
    D2 yellow | 0-4
    F2 yellow | 0-2
    H2 J2 L2 N2 white
    P2 white "Perm" water:20 city:0
    C3 white
    E3 white
    G3 I3 K3 M3 O3 white
    Q3 gray "Ekaterinburg" home:E city:40 | 2-c0 1-c0 0-c0
    B4 white "Riga" home:RO 'Y' city:0
    D4 yellow | 3-1
    F4 yellow | 3-5
    H4 J4 L4 N4 white
    P4 white water:20
    A5 gray | 4-5
    C5 gray "Dünaberg" town:10 | 2-t0 5-t0 0-4
    E5 white
    G5 yellow "Tver" town:10 | 2-t0 0-t0
    I5 white "Yaroslavl" water:20 town:0
    K5 M5 white
    O5 white water:20
    Q5 gray | 3-2 3-1
    B6 D6 F6 white
    H6 white
    J6 L6 N6 white water:20
    P6 white
    C7 yellow | 3-1
    E7 white
    G7 yellow | 3-5
    I7 white
    K7 yellow "Nizhnii Novgorod" water:20 'Y' city:30 | 1-c0 5-c0
    M7 white "Kazan" water:40 city:0
    O7 white
    Q7 gray | 1-2
    B8 white "Vilna" town:0
    D8 F8 white
    H8 yellow "Moscow" home:N/1,M-K/0,MNN/2 'M' city:40 city:40 city:40 | 0-c0 2-c1 4-c2
    J8 L8 N8 white
    P8 white "Ufa" city:0
    A9 red "Poland" joint@0 offboard:yellow=30,green=40,brown=50,gray=70[Poland] | 5-o0 4-o0
    C9 white "Minsk" town:0
    E9 white "Smolensk" home:MB city:0
    G9 white
    I9 white
    K9 white
    M9 white "Simbirsk" water:80 town:0
    O9 B10 white
    D10 white water:20
    F10 white
    H10 white "Tula" town:0
    J10 white
    L10 white
    N10 white "Samara" home:SV 'Y' city:0
    P10 white
    A11 red joint@0,3 offboard:(yellow=30,green=40,brown=50,gray=70)[Poland] | 5-o0 4-o0
    C11 white water:80
    E11 white "Gomel" town:0
    G11 I11 white
    K11 white "Penza" town:0
    M11 white water:80
    O11 white
    Q11 red "Central Asia" joint@0 offboard:yellow=10,green=20,brown=30,gray=40[CentralAsia] | 1-o0 2-o0
    B12 white
    D12 white water:80
    F12 H12 J12 white
    L12 white "Saratov" city:0
    N12 P12 white
    A13 red joint@0,3 offboard:(yellow=30,green=40,brown=50,gray=70)[Poland] | 5-o0 4-o0
    C13 white
    E13 white "Chernigov" town:0
    G13 white "Kursk" town:0
    I13 white "Voronezh" home:MV city:0
    K13 white
    Q13 red joint@3 offboard:(yellow=10,green=20,brown=30,gray=40)[CentralAsia] | 2-o0
    B14 white
    D14 yellow "Kiev" home:KB/1,KK/2 'K' city:30 city:30 city:30 | 0-c0 2-c1 4-c2
    F14 H14 J14 L14 white
    A15 red joint@3 offboard:(yellow=30,green=40,brown=50,gray=70)[Poland] | 5-o0 4-o0
    C15 white
    E15 white water:40
    G15 white "Kharkov" home:KR later:Kh/gray 'Y' city:0
    I15 white water:40
    K15 B16 D16 white
    F16 white water:40
    H16 white
    J16 white water:40
    C17 white water:20
    E17 G17 white
    I17 white "Lugansk" town:0
    K17 white "Tsaritsyn" home:TR city:0
    B18 red "Romania" joint@0 offboard:yellow=10,green=20,brown=30,gray=30[Romania] | 3-o0 4-o0 5-o0
    D18 white
    F18 white "Ekaterinoslav" water:40 city:0
    H18 white "Yuzovka" home:Y city:0
    J18 white water:40
    L18 white
    C19 white water:20
    E19 white water:40
    G19 white "Alexandrovsk" town:0
    I19 white "Rostov" home:V city:0
    K19 white
    M19 white "Astrakhan" 'Y' city:0
    B20 red joint@3 offboard:(yellow=10,green=20,brown=30,gray=30)[Romania] | 4-o0
    D20 white "Odessa" home:OK 'Y' city:0
    F20 H20 white
    J20 red "Caucasus" joint@1,5 offboard:yellow=10,green=20,brown=40,gray=60[Caucasus] | 2-o0 3-o0 4-o0
    L20 N20 white
    C21 gray | 4-3
    I21 red joint@4 offboard:(yellow=10,green=20,brown=40,gray=60)[Caucasus] | 3-o0
    K21 red joint@2 offboard:(yellow=10,green=20,brown=40,gray=60)[Caucasus] | 3-o0 4-o0
    M21 gray | 3-2
    """,
    Layout(is_flat=True, letter_is_x=True),
)

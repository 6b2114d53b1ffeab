"""The map of 1844 Switzerland. Rows are letters; gray hexes without value carry mountain railways, purple hexes
tunnels."""

from bot.engine.board import Layout, parse_map

MAP = parse_map(
    """
    A18 red "Stuttgart" joint@0,4 'N' *bonus_30 offboard:20,40,60,70[Stuttgart,N] | 5-o0
    A20 red joint@1 offboard:(20,40,60,70)[Stuttgart,N] | 0-o0 5-o0
    B11 red "Strasbourg" 'N' *bonus_30 offboard:30,40,50,60[N] | 0-o0 5-o0
    B17 red joint@3 offboard:(20,40,60,70)[Stuttgart,N] | 4-o0
    B19 white "Schaffhausen" river:20 city:0
    B21 white
    B23 white "Rorschach" town:0
    C8 red "Belfort" 'W' *bonus_50 offboard:10,30,50,70[W] | 0-o0 4-o0
    C10 white
    C12 white "Basel" river:20 home:SCB city:0
    C14 white "Liestal" town:0
    C16 white river:20
    C18 white
    C20 yellow "Winterthur & Frauenfeld" goal:AB 'OO' city:0 city:0
    C22 white mountain:30
    C24 white "Sankt Gallen" home:VSB city:0
    C26 red "München" 'E' *bonus_50 offboard:10,30,50,70[E] | 0-o0 1-o0
    D7 D9 D11 white mountain:30
    D13 white "Olten" river:20 city:0
    D15 yellow "Aarau" river:20 home:STB/0 goal:NOB city:10@2 city:10@4 | 2-c0 4-c1
    D17 white "Baden" town:0
    D19 white "Zurich" river:20 home:NOB later:Z wall@5 city:0
    D21 white "Rapperswil" wall@0 town:0
    D23 white mountain:30
    D25 white "Appenzell" home:AB city:0
    E6 white mountain:30
    E8 white "Biel" wall@5 town:0
    E10 white "Solothurn" water:20 town:0
    E12 white river:20
    E14 E16 white
    E18 white "Zug" river:20 city:0
    E20 white wall@2,3
    E22 white river:20
    E24 white
    E26 gray "Vaduz" offboard:10,20,30,40 | 2-o0 5-o0
    F3 red "Dijon/Paris" 'W' *bonus_50 offboard:10,30,50,70[W] | 4-o0 5-o0
    F5 white wall@5
    F7 white "Neuchatel" river:20 home:JN goal:JS city:10 | 1-c0
    F9 white river:20 wall@2
    F11 white "Bern" home:BLS later:B city:10 | 5-c0
    F13 white "Langnau" mountain:30 town:0
    F15 white mountain:30
    F17 white "Lucerne" river:20 goal:SCB city:10 | 1-c0
    F19 gray "Rigi-Bahnen" offboard:0 | 2-o0 4-o0
    F21 white "Goldau" mountain:30 city:0
    F23 white mountain:60
    F25 white "Sargans" water:20 goal:VSB town:0
    F27 white
    G4 white wall@4,5
    G6 white wall@1,2
    G8 yellow "Romont & Fribourg" 'OO' city:0 city:0
    G10 white mountain:60
    G12 white
    G14 gray "Pilatus Bahn" offboard:0 | 1-o0 2-o0 3-o0 4-o0 5-o0
    G16 white "Sarnen" town:0
    G18 white "Stans" home:GB city:0
    G20 gray "Altdorf" goal:FNM town:20 | 0-t0 1-t0 3-t0 4-t0
    G22 white mountain:90
    G24 white mountain:60
    G26 white "Chur" river:20 home:RhB city:10 | 0-c0
    G28 white "Arosa" mountain:30 home:ChA city:0
    G30 red joint@0 offboard:(20,40,60,80)[Innsbruck,E] | 1-o0
    H3 white "Yverdon" mountain:30 town:0
    H5 white mountain:30 wall@2
    H7 gray "Rochers de Naye" offboard:0 | 1-o0 2-o0 3-o0 4-o0 5-o0 0-o0
    H9 H11 white mountain:60
    H13 white "Thun" river:20 goal:STB,MOB city:0
    H15 white mountain:30
    H17 purple "Andermatt" town:0@4 | 0-t0? 4-t0?
    H19 purple "Gotthard" goal:GB wall@0 | 1-4?
    H21 purple "Lukmanier" | 1-4?
    H23 purple | 1-4?
    H25 white "Disentis" mountain:60 town:0
    H27 purple "Albula"
    H29 red "Innsbruck" joint@3,5 'E' *bonus_90 offboard:20,40,60,80[Innsbruck,E] | 0-o0 1-o0 2-o0
    I2 white
    I4 yellow "Lausanne" home:JS/0 'L' city:20@1.5 city:20@4 | 1-c0 2-c0 4-c1
    I6 white "Montreux" river:20 home:MOB city:0
    I8 white mountain:30
    I10 white "Gstaad" mountain:30 wall@4,5 town:0
    I12 purple "Lötschberg" wall@0,1
    I14 gray "Jungfraubahnen" offboard:0 | 0-o0 2-o0 3-o0
    I16 purple wall@4 | 5-3?
    I18 white mountain:90 wall@1,3
    I20 white mountain:90
    I22 I24 I26 white mountain:60
    I28 white "St. Moritz" mountain:30 city:0
    I30 red joint@2 offboard:(20,40,60,80)[Innsbruck,E] | 1-o0
    J1 white "Nyon" water:20 town:0
    J7 white mountain:30
    J9 purple
    J11 white "Visp" mountain:30 wall@2,3 town:0
    J13 gray "Brig" goal:RhB,BLS town:20 | 0-t0 1-t0 2-t0 3-t0 4-t0 5-t0
    J15 white mountain:60 wall@0
    J17 gray | 1-2
    J19 J21 J23 J27 white mountain:60
    J29 gray "Bernina" offboard:0 | 2-o0
    K2 gray "Genève" city:40/2 | 0-c0 2-c0
    K6 white mountain:60
    K8 white "Martigny" water:20 town:0
    K10 white "Sion" river:20 home:VZ city:0
    K12 white mountain:60
    K14 purple "Simplon" wall@0,3
    K16 K18 blue
    K20 white "Locarno" river:20 city:0
    K22 white "Bellinzona" river:20 city:0
    L1 red "Lyon" 'W' *bonus_90 offboard:30,50,70,90[W] | 3-o0
    L7 L9 white mountain:60
    L11 white "Zermatt" mountain:30 town:0
    L13 gray "Matterhornbahnen" wall@3 offboard:0 | 1-o0 2-o0
    L15 red joint@5 offboard:(40,50,70,90)[Milano,S] | 2-o0
    L17 L19 blue
    L21 white "Como" river:20 home:FNM city:10 | 0-c0
    L23 gray "Monte Generoso" offboard:0 | 1-o0 2-o0
    M8 red "Torino" 'S' *bonus_40 offboard:0,30,50,70[S] | 2-o0 3-o0
    M16 red joint@2,4
    M18 red "Milano" joint@1,4 'S' *bonus_40 offboard:40,50,70,90[Milano,S]
    M20 red joint@1,4 offboard:(40,50,70,90)[Milano,S] | 3-o0
    M22 red joint@1 offboard:(40,50,70,90)[Milano,S] | 2-o0
    """,
    Layout(is_flat=False, letter_is_x=False),
)

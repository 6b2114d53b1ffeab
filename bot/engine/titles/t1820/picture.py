"""How the board of 1820 looks: tokens of two colours or with stripes, London once more."""

from __future__ import annotations

from ...ids import CompanyId, HexId, Owner
from ...look import Look, TokenFace

FACES = {
    CompanyId(Owner("L&BR")): TokenFace("#000000", "", ""),
    CompanyId(Owner("LO&PR")): TokenFace("#ba55d3", "", ""),
    CompanyId(Owner("ST&AR")): TokenFace("#ff6347", "", ""),
    CompanyId(Owner("Y&NR")): TokenFace("#ff0000", "", ""),
    CompanyId(Owner("LBR")): TokenFace("#4169e1", "", ""),
    CompanyId(Owner("SA&MR")): TokenFace("#cd853f", "", ""),
    CompanyId(Owner("B&GR")): TokenFace("#38b0de", "", ""),
    CompanyId(Owner("S&D")): TokenFace("#006400", "", ""),
    CompanyId(Owner("CFR")): TokenFace("#006400", "#ffffff", "#ffffff"),
    CompanyId(Owner("L&GR")): TokenFace("", "#6b8e23", "#6b8e23"),
    CompanyId(Owner("SRBWH&G")): TokenFace("", "#000000", "#000000"),
    CompanyId(Owner("C&HPR")): TokenFace("", "#cd853f", "#cd853f"),
    CompanyId(Owner("M&PR")): TokenFace("", "#00ff00", "#00ff00"),
    CompanyId(Owner("M&GN")): TokenFace("", "#000000", "#000000"),
    CompanyId(Owner("S&DR")): TokenFace("", "#ff0000", "#ff0000"),
    CompanyId(Owner("SDR")): TokenFace("", "#ffffff", "#ffffff"),
    CompanyId(Owner("P&WR")): TokenFace("", "#000000", "#000000"),
    CompanyId(Owner("C&WR")): TokenFace("", "#00ff00", "#00ff00"),
    CompanyId(Owner("CVHR")): TokenFace("#8b008b", "#ffff00", ""),
    CompanyId(Owner("MSJ&AR")): TokenFace("", "#ffffff", "#ffffff"),
    CompanyId(Owner("B&DJR")): TokenFace("", "#ffff00", "#38b0de"),
    CompanyId(Owner("MHR")): TokenFace("", "#ffffff", "#ffffff"),
    CompanyId(Owner("CNR")): TokenFace("", "#000000", "#000000"),
}
"""Lower half, stripe on the upper half, stripe on the lower half. Companies of one colour are not listed."""

LOOK = Look(
    zones={"l": "gray", "y": "yellow", "g": "green", "b": "#8fb4dd", "n": "brown", "e": "red"},
    insets=(HexId("M13"),),
    faces=FACES,
)

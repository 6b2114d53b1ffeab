"""Scenes to PNG: SVG through Cairo for what is new, cached pixels for the rest. The only place that knows Cairo and Pillow."""

from __future__ import annotations

import io
import os
import tempfile
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

FONTS = Path(__file__).resolve().parents[2] / "assets" / "fonts"


def _use_bundled_fonts() -> None:
    """Let fontconfig see the bundled fonts alone, so that every machine draws the same."""
    folder = Path(tempfile.gettempdir()) / f"signalbox-fonts-{os.getuid()}"
    folder.mkdir(exist_ok=True, mode=0o700)
    configuration = folder / "fonts.conf"
    text = f'<?xml version="1.0"?><fontconfig><dir>{FONTS}</dir><cachedir>{folder}</cachedir></fontconfig>'
    if not configuration.exists() or configuration.read_text() != text:
        configuration.write_text(text)
    os.environ["FONTCONFIG_FILE"] = str(configuration)


_use_bundled_fonts()

import cairosvg  # noqa: E402 - after the fonts are chosen
from PIL import Image  # noqa: E402

from .scene import Scene, Shape, Sprite  # noqa: E402
from .svg import document  # noqa: E402

MOST_SPRITES = 1500
MOST_BASES = 12
COLOURS = 255


@dataclass(frozen=True)
class Picture:
    """A painted picture: PNG bytes, alt text, a file name."""

    name: str
    png: bytes
    alt: str


class Painter:
    """Paints scenes and remembers sprites and bases, a bounded number of each."""

    def __init__(self) -> None:
        self._sprites: OrderedDict[str, Image.Image] = OrderedDict()
        self._bases: OrderedDict[str, Image.Image] = OrderedDict()

    def paint(self, scene: Scene) -> Picture:
        """The scene as PNG with at most 256 colours."""
        picture = self._base(scene)
        for placed in scene.placed:
            sprite = self._sprite(placed.sprite)
            x, y = placed.at
            corner = (round(x - placed.sprite.half_width), round(y - placed.sprite.half_height))
            picture.paste(sprite, corner, sprite)
        if scene.over:
            layer = rasterised(scene.over, 0, 0, scene.width, scene.height)
            picture.paste(layer, (0, 0), layer)
        data = io.BytesIO()
        picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
            data, "PNG", compress_level=6
        )
        return Picture(f"{scene.name}.png", data.getvalue(), scene.alt)

    def _base(self, scene: Scene) -> Image.Image:
        if not scene.base_key:
            picture = Image.new("RGB", (scene.width, scene.height), scene.background)
            if scene.base:
                layer = rasterised(scene.base, 0, 0, scene.width, scene.height)
                picture.paste(layer, (0, 0), layer)
            return picture
        if scene.base_key not in self._bases:
            picture = Image.new("RGB", (scene.width, scene.height), scene.background)
            layer = rasterised(scene.base, 0, 0, scene.width, scene.height)
            picture.paste(layer, (0, 0), layer)
            _keep(self._bases, scene.base_key, picture, MOST_BASES)
        self._bases.move_to_end(scene.base_key)
        return self._bases[scene.base_key].copy()

    def _sprite(self, sprite: Sprite) -> Image.Image:
        if sprite.key not in self._sprites:
            width, height = 2 * sprite.half_width, 2 * sprite.half_height
            image = rasterised(sprite.shapes, -sprite.half_width, -sprite.half_height, width, height)
            _keep(self._sprites, sprite.key, image, MOST_SPRITES)
        self._sprites.move_to_end(sprite.key)
        return self._sprites[sprite.key]


def _keep(cache: OrderedDict[str, Image.Image], key: str, image: Image.Image, most: int) -> None:
    cache[key] = image
    while len(cache) > most:
        cache.popitem(last=False)


def rasterised(shapes: tuple[Shape, ...], left: float, top: float, width: float, height: float) -> Image.Image:
    """Shapes painted by Cairo on a clear ground."""
    text = document(shapes, left, top, width, height)
    png = cairosvg.svg2png(bytestring=text.encode(), unsafe=False)
    return Image.open(io.BytesIO(png)).convert("RGBA")

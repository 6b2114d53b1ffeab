"""Pictures: a game to a scene, a scene to a PNG."""

from .pictures import KINDS, changed_hexes, scene_of

__all__ = ["KINDS", "changed_hexes", "scene_of"]

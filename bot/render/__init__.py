"""Pictures: a game to a scene, a scene to a PNG."""

from .pictures import KINDS, scene_of

__all__ = ["KINDS", "scene_of"]

"""The JSON forms of components and embeds: what Discord fills in before it shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.discord_double.model import SELECTS, Attachment, Json

THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 11, 12, 13, 14, 17
FORM_OF = Callable[[Attachment], Json]


class Shown:
    """Shows the components and embeds of one message; `attachment://name` becomes the file's address."""

    def __init__(self, files: Sequence[Attachment], form_of: FORM_OF) -> None:
        self._files = {file.filename: file for file in files}
        self._form_of = form_of

    def components(self, components: Sequence[Json]) -> list[Json]:
        """Components with the defaults filled in."""
        return [self._component(component) for component in components]

    def _component(self, component: Json) -> Json:
        kind = component["type"]
        form = dict(component)
        if component.get("components"):
            form["components"] = self.components(component["components"])
        if component.get("accessory"):
            form["accessory"] = self._component(component["accessory"])
        if kind in SELECTS:
            form = {"min_values": 1, "max_values": 1} | form
        elif kind == CONTAINER:
            form = {"accent_color": None, "spoiler": False} | form
        elif kind == SEPARATOR:
            form = {"divider": True, "spacing": 1} | form
        elif kind == THUMBNAIL:
            form = self._picture(form)
        elif kind == GALLERY:
            form["items"] = [self._picture(item) for item in component["items"]]
        elif kind == FILE:
            file = self._files[component["file"]["url"].removeprefix("attachment://")]
            size = {"name": file.filename, "size": len(file.data)}
            form = {"spoiler": False} | form | {"file": self._media(component["file"])} | size
        return form

    def _picture(self, item: Json) -> Json:
        return {"description": None, "spoiler": False} | item | {"media": self._media(item["media"])}

    def _media(self, media: Json) -> Json:
        name = media["url"].removeprefix("attachment://")
        if name == media["url"] or name not in self._files:
            return {"id": "1", "url": media["url"], "proxy_url": media["url"]}
        file = self._form_of(self._files[name])
        kept = {key: file[key] for key in ("url", "proxy_url", "width", "height", "content_type") if key in file}
        return kept | {"id": file["id"], "attachment_id": file["id"]}

    def embeds(self, embeds: Sequence[Json]) -> list[Json]:
        """Embeds with the addresses of their pictures."""
        return [self._embed({"type": "rich"} | embed) for embed in embeds]

    def _embed(self, embed: Json) -> Json:
        for key in ("image", "thumbnail"):
            if embed.get(key):
                embed[key] = {name: value for name, value in self._media(embed[key]).items() if "id" not in name}
        if embed.get("fields"):
            embed["fields"] = [{"inline": False} | field for field in embed["fields"]]
        return embed

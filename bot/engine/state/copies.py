"""Copies of records that share nothing that can change, made as the types of their fields say.

Immutable values are shared: numbers, texts, tuples and frozen records of such. A type that is not known raises, so no
new field is copied wrongly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, TypeVar, Union, get_args, get_origin

from msgspec import Struct, structs

Copier = Callable[[Any], Any]
Record = TypeVar("Record", bound=Struct)

UNCHANGING = (str, int, bool, NoneType)


def copy_record(record: Record) -> Record:
    """A copy of the record and of all that can change in it.

    :raises TypeError: a type in it is not known.
    """
    copied: Record = record_copier(type(record))(record)
    return copied


@lru_cache(maxsize=1024)
def is_unchanging(kind: Any, above: frozenset[type] = frozenset()) -> bool:
    """Whether values of this type can never change. `above` are the records whose field it is, which may come again in it."""
    if get_origin(kind) is Annotated:
        return is_unchanging(get_args(kind)[0], above)
    if isinstance(kind, NewType):
        return is_unchanging(kind.__supertype__, above)
    if isinstance(kind, type) and issubclass(kind, Struct):
        fields = (one.type for one in structs.fields(kind))
        is_frozen = kind.__struct_config__.frozen
        return kind in above or (is_frozen and all(is_unchanging(one, above | {kind}) for one in fields))
    if get_origin(kind) in (Union, UnionType, tuple, frozenset):
        return all(part is ... or is_unchanging(part, above) for part in get_args(kind))
    return kind in UNCHANGING or get_origin(kind) is Literal


@lru_cache(maxsize=1024)
def record_copier(kind: type[Struct]) -> Copier:
    """A function that copies records of this class: the record at once, then each field that can change. It is written out and
    compiled, since a game is copied for every move that is tried.

    :raises TypeError: the type of a field is not known, or can change in a frozen record.
    """
    names: dict[str, Any] = {"copy_all": kind.__copy__}  # type: ignore[attr-defined]
    changing = [one for one in structs.fields(kind) if not is_unchanging(one.type)]
    if changing and kind.__struct_config__.frozen:
        raise TypeError(f"{kind.__name__} is frozen, but not its {changing[0].name}")
    lines = [f"    copy.{one.name} = {_expression(one.type, f'record.{one.name}', names)}" for one in changing]
    exec("\n".join(["def copier(record):", "    copy = copy_all(record)", *lines, "    return copy"]), names)
    copier: Copier = names["copier" if changing else "copy_all"]
    return copier


def _expression(kind: Any, value: str, names: dict[str, Any]) -> str:
    """Python that copies the `value`, which is of this type; `names` gets what it calls.

    :raises TypeError: the type is not known.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if is_unchanging(kind):
        return value
    if origin in (list, set, dict) and all(map(is_unchanging, parts)):
        return f"{value}.copy()"
    if origin is list:
        return f"[{_expression(parts[0], 'one', names)} for one in {value}]"
    if origin is dict and is_unchanging(parts[0]):
        return f"{{key: {_expression(parts[1], 'one', names)} for key, one in {value}.items()}}"
    name = f"copier_{len(names)}"
    if origin in (Union, UnionType) and all(isinstance(part, type) for part in parts):
        names[name] = {part: share if is_unchanging(part) else record_copier(part) for part in parts}
        return f"{name}[type({value})]({value})"
    if kind is not Any and not (isinstance(kind, type) and issubclass(kind, Struct)):
        raise TypeError(f"{kind} is of no type that can be copied")
    names[name] = copy_record if kind is Any else record_copier(kind)
    return f"{name}({value})"


def share(value: Any) -> Any:
    return value

"""How Python calls Cairo, without what its binding repeats in every process: reading Cairo's declarations takes 0.2 s, and
looking for the library starts other programs."""

from __future__ import annotations

import ctypes.util
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from zlib import crc32

from .private_folder import replace_file

NAME = "cairocffi.ffi"


def load_cairo(folder: Path) -> None:
    """Import `cairocffi` with the declarations that a process before has read and left in the folder, which nobody else may
    write to; the first leaves them there. Files that are damaged, or of another version, are written anew."""
    if "cairocffi" in sys.modules:
        return
    found = find_spec("cairocffi")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("there is no cairocffi", name="cairocffi")
    package = Path(found.origin).parent
    declarations = b"".join((package / name).read_bytes() for name in ("ffi.py", "constants.py"))
    tables = folder / f"cairo-{crc32(declarations):08x}-{sys.implementation.cache_tag}.py"
    kept = _read(tables)
    if kept is not None:
        sys.modules[NAME] = kept
    _import_by_file_name()
    if kept is None:
        _write(tables)


def _read(tables: Path) -> ModuleType | None:
    try:
        mark, _, source = tables.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    if mark != _mark(source):
        return None
    module = ModuleType(NAME)
    exec(source, module.__dict__)
    return module


def _write(tables: Path) -> None:
    import cairocffi
    from cffi.recompiler import make_py_source

    made = tables.with_suffix(f".{os.getpid()}.py")
    cairocffi.ffi.set_source(NAME, None)
    make_py_source(cairocffi.ffi, NAME, str(made))
    source = made.read_bytes()
    made.unlink()
    replace_file(tables, _mark(source) + b"\n" + source)


def _mark(source: bytes) -> bytes:
    return b"# %08x" % crc32(source)


def _import_by_file_name() -> None:
    """Import `cairocffi`; the library is only looked for where it does not have its usual name."""
    look, ctypes.util.find_library = ctypes.util.find_library, lambda name: None
    try:
        import cairocffi
    except OSError:
        ctypes.util.find_library = look
        import cairocffi
    finally:
        ctypes.util.find_library = look
    assert cairocffi

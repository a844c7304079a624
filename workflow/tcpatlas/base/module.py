"""packetsim as a program where only its WebAssembly module is at hand: the same options, the same bytes.

A script, not a part of the package: started once for each run, it imports no more than it needs.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

MODULE = Path(__file__).parents[1] / "tree/build/wasm/packetsim.wasm"
_NO_FILES = 52  # ENOSYS, to the C library: the engine opens none
_DOOR = "sources.tcp.library: controllers of one's own need the wheel for Linux on x86-64"


class Packetsim:
    """The compiled module; what it throws is raised as ValueError, or as NotImplementedError."""

    def __init__(self, file: Path) -> None:
        """Compile it, or find what was compiled; raises ImportError without wasmtime."""
        import wasmtime

        config = wasmtime.Config()
        try:
            config.cache = True
        except wasmtime.WasmtimeError:  # no folder of this user can be written: it is compiled again
            config = wasmtime.Config()
        self._engine = wasmtime.Engine(config)
        self._module = wasmtime.Module.from_file(self._engine, str(file))

    def simulate(self, point: str, seed: int) -> str:
        """Return a run, of an instance of its own."""
        import wasmtime

        def read(at: int, size: int) -> str:
            return bytes(memory.read(store, at, at + size)).decode()

        def failed(at: int, size: int, unsupported: int) -> None:
            raise (NotImplementedError if unsupported else ValueError)(read(at, size))

        hosts: dict[str, Any] = {"failed": failed, "progress": lambda _: None}
        store, linker = wasmtime.Store(self._engine), wasmtime.Linker(self._engine)
        for each in self._module.imports:
            kind: Any = each.type
            host = hosts.get(str(each.name), lambda *_: _NO_FILES)
            linker.define_func(each.module, str(each.name), kind, host)
        exports: Any = linker.instantiate(store, self._module).exports(store)
        memory = exports["memory"]
        exports["_initialize"](store)
        text = point.encode()
        memory.write(store, text, exports["point"](store, len(text)))
        size = exports["simulate"](store, seed - (1 << 64) if seed >> 63 else seed)
        return read(exports["run"](store), size)


def main() -> int:
    """Run the program; return its exit status. What is wrong is one line on standard error."""
    parser = argparse.ArgumentParser(description="packetsim: reads a point, writes what it measured")
    parser.add_argument("--module", type=Path, default=MODULE, help="of WebAssembly (default: the wheel's)")
    parser.add_argument("--compile", action="store_true", help="do no more than compile it for later")
    parser.add_argument("--allow-library", action="store_true", help="refused: libraries are for machines")
    for name, kind in (("point", Path), ("seed", int), ("out", Path)):
        parser.add_argument(f"--{name}", type=kind, help="as packetsim's")
    options = parser.parse_args()
    try:
        packetsim = Packetsim(options.module)
        if options.compile:
            return 0
        if options.allow_library:
            raise NotImplementedError(_DOOR)
        run = packetsim.simulate(options.point.read_text("utf-8"), options.seed)
        whole = options.out.with_name(f".{options.out.name}.{os.getpid()}")
        whole.write_bytes(run.encode())
        whole.replace(options.out)
    except ImportError:
        print("wasmtime is missing; run: pip install 'tcpatlas[wasm]'", file=sys.stderr)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
    except (ValueError, NotImplementedError) as error:
        print(f"{options.point}: {str(error).removeprefix('point: ')}", file=sys.stderr)
        return 1 if isinstance(error, ValueError) else 3
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())

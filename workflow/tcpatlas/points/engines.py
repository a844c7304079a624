"""Which engines can be built on this machine."""

from __future__ import annotations

from pathlib import Path

# Engines that need more than Debian's compilers: a header, what it belongs to, and the Debian package.
_NEEDS = {"ns3": ("ns3/point-to-point-net-device.h", "ns-3", "libns3-dev")}
_INCLUDE_FOLDERS = (Path("/usr/include"), Path("/usr/local/include"))


def missing(engine: str) -> str | None:
    """Say in one line what an engine lacks here, None if nothing."""
    if engine not in _NEEDS:
        return None
    header, name, package = _NEEDS[engine]
    if any((folder / header).exists() for folder in _INCLUDE_FOLDERS):
        return None
    return f"{name} is not installed (Debian: {package}); the engine {engine} is left out"

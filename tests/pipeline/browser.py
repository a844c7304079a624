"""Chromium without a window, driven through a pipe by its DevTools protocol."""

from __future__ import annotations

import fcntl
import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any

# Long enough for a busy machine: what never comes fails, what comes late does not.
PATIENCE_S = 600
# Root may not have the sandbox, and the page is ours.
OPTIONS = (
    *(
        "--headless=new",
        "--remote-debugging-pipe",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
    ),
    *(
        "--no-first-run",
        "--disable-extensions",
        "--disable-component-update",
        "--disable-background-networking",
    ),
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
KEYS = {"Enter": 13, "Tab": 9, "ArrowRight": 39, "ArrowDown": 40}
TEXTS = {"Enter": "\r"}


class RefusedError(AssertionError):
    """What Chromium says of a command that it did not carry out."""


class Browser:
    """A page of Chromium, which reaches no network."""

    def __init__(self, folder: Path) -> None:
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()
        # Chromium reads from 3 and writes to 4; the shell puts them there.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (read_there, write_there)]
        command = ["chromium", *OPTIONS, f"--user-data-dir={folder}"]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs[0]} 4>&{theirs[1]}', "bash", *command],
            pass_fds=theirs,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (read_there, write_there, *theirs):
            os.close(end)
        self._from, self._to = read_here, write_here
        self._received = b""
        self._count = 0
        self._session: str | None = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")

    def open(self, url: str, width: int = 1200) -> None:
        """Load a page, anew even if it is the same, in a window so wide."""
        self.send("Page.navigate", url="about:blank")
        self.resize(width)
        self.send("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the result of a command."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (reply := self._receive()).get("id") != self._count:
            pass
        if "error" in reply:
            raise RefusedError(str(reply["error"]))
        return dict(reply["result"])

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_S
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._from], [], [], max(0, deadline - time.monotonic()))
            assert ready, "Chromium does not answer"
            part = os.read(self._from, 1 << 16)
            assert part, "Chromium has ended"
            self._received += part
        message, _, self._received = self._received.partition(b"\0")
        return dict(json.loads(message))

    def value(self, expression: str) -> Any:
        """Return what an expression of JavaScript, or the promise that it is, comes to."""
        reply = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true."""
        deadline = time.monotonic() + PATIENCE_S
        while not self._holds(condition):
            assert time.monotonic() < deadline, condition
            time.sleep(0.05)

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.value(f"Boolean({condition})"))
        except RefusedError:  # A page that is just being left has no answer.
            return False

    def resize(self, width: int) -> None:
        """Make the window so many CSS pixels wide."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )

    def type(self, selector: str, text: str) -> None:
        """Put the focus on an element and type."""
        self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        self.send("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            typed = TEXTS.get(key, key if len(key) == 1 else "")
            text = {"text": typed} if kind == "keyDown" and typed else {}
            number = KEYS.get(key) or ord(key.upper())
            self.send(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=number, **text
            )

    def click(self, expression: str) -> None:
        """Click on the middle of the element that an expression of JavaScript gives."""
        x, y = self.value(
            f"(() => {{const e = {expression}; e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]})()"
        )
        self.hover(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a place of the window, in CSS pixels."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait()
        for end in (self._from, self._to):
            os.close(end)

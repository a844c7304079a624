"""Chromium without a window, driven by Debian's Selenium; without either, what imports this is skipped."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

# Behind everything in .venv, which has none.
sys.path.append("/usr/lib/python3/dist-packages")
for program in ("chromium", "chromedriver"):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed", allow_module_level=True)
pytest.importorskip("selenium", reason="python3-selenium is not installed")

from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import JavascriptException  # noqa: E402
from selenium.webdriver import ActionChains, Keys  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.actions.action_builder import ActionBuilder  # noqa: E402
from selenium.webdriver.support.wait import WebDriverWait  # noqa: E402

# Long enough for a busy machine: what never comes fails, what comes late does not.
PATIENCE_S = 120
# Root may not have the sandbox, and the page is ours.
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
)
KEYS = {"Enter": Keys.ENTER, "Tab": Keys.TAB, "ArrowRight": Keys.ARROW_RIGHT, "ArrowDown": Keys.ARROW_DOWN}


class Browser:
    """A browser with one page."""

    def __init__(self, profile: Path) -> None:
        options = webdriver.ChromeOptions()
        for option in (*OPTIONS, f"--user-data-dir={profile}"):
            options.add_argument(option)
        self._driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self._driver.set_script_timeout(PATIENCE_S)

    def open(self, url: str, width: int = 1200) -> None:
        """Load a page, anew even if it is the same, in a window so wide."""
        self._driver.get("about:blank")
        self.resize(width)
        self._driver.get(url)

    def value(self, expression: str) -> Any:
        """Return what an expression of JavaScript, or the promise that it is, comes to."""
        return self._driver.execute_script("return eval(arguments[0])", expression)

    def until(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true."""
        wait = WebDriverWait(self._driver, PATIENCE_S, 0.05, [JavascriptException])
        wait.until(lambda _: self.value(f"Boolean({condition})"), condition)

    def resize(self, width: int) -> None:
        """Make the window so many CSS pixels wide."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def type(self, selector: str, text: str) -> None:
        """Put the focus on an element and type."""
        self._driver.execute_script("document.querySelector(arguments[0]).focus()", selector)
        self.press(text)

    def press(self, key: str) -> None:
        """Press and release a key, or one for each letter of a text."""
        ActionChains(self._driver).send_keys(KEYS.get(key, key)).perform()

    def click(self, expression: str) -> None:
        """Click on the middle of the element that an expression of JavaScript gives."""
        x, y = self.value(
            f"(() => {{const e = {expression}; e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]})()"
        )
        self.hover(x, y)
        ActionChains(self._driver).click().perform()

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a place of the window, in CSS pixels."""
        pointer = ActionBuilder(self._driver, duration=0)
        pointer.pointer_action.move_to_location(round(x), round(y))
        pointer.perform()

    def close(self) -> None:
        """End the browser."""
        self._driver.quit()

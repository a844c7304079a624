"""aioquic's CUBIC, as published, paced as its stack paces: a window in a round trip (`recovery.py`)."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[5] / "build/nine-cubics/python"))  # where build.sh installs it

from aioquic.quic.congestion.cubic import CubicCongestionControl

from tcpatlas.controllers.quic import adapted


class Cubic(adapted(CubicCongestionControl)):
    """The class as it is, and the rate."""

    pacing_rate = 0

    def on_delivery(self, event):
        """Pace by the window that the acknowledgement leaves."""
        super().on_delivery(event)
        if event.srtt > 0:
            self.pacing_rate = self.own.congestion_window / (event.srtt / 1e12)

"""Tests, and what they start, have the environment that programs have."""

from __future__ import annotations

from tcpatlas.base.environment import adopt

adopt()

"""Congestion controllers as Python classes, and simulations that stop and go on.

`docs/own-congestion-control.md` is the manual.
"""

"""Evenly spaced values of a sweep: `{from, to, step}`."""

from handmade import expanded
from test_bulk import BASE, REPLICATIONS

RATE = "links.bottleneck.rate"


def rates(span):
    spec = {"sweep": {"grid": {RATE: span}}}
    points = expanded(BASE, spec, REPLICATIONS)
    return [(point.name, point.parameters[RATE]) for point in points]


def test_values_are_exact_and_named_as_written():
    assert rates({"from": "0.24 Mbit/s", "to": "0.96 Mbit/s", "step": "240 kbit/s"}) == [
        ("rate-0.24-Mbit-s", 240000),
        ("rate-0.48-Mbit-s", 480000),
        ("rate-0.72-Mbit-s", 720000),
        ("rate-0.96-Mbit-s", 960000),
    ]


def test_the_end_is_left_out_where_no_step_meets_it():
    found = rates({"from": "1 Mbit/s", "to": "2.9 Mbit/s", "step": "1 Mbit/s"})
    assert [rate for _, rate in found] == [1e6, 2e6]

"""Evenly spaced values of a sweep: `{from, to, step}`."""

import pytest
from handmade import expanded
from test_bulk import BASE, REPLICATIONS

from tcpatlas.base.errors import ConfigError

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


@pytest.mark.parametrize(
    ("span", "says"),
    [
        ({"from": "1 Mbit/s", "to": "2 s", "step": "1 Mbit/s"}, "does not convert"),
        (
            {"from": "1 Mbit/s", "to": "2 Mbit/s", "step": "0 Mbit/s"},
            "step: 0 Mbit/s is out of range; more than 0",
        ),
        ({"from": "3 Mbit/s", "to": "2 Mbit/s", "step": "1 Mbit/s"}, "holds 0 values; 1 to 100000"),
        ({"from": "1 bit/s", "to": "1 Mbit/s", "step": "1 bit/s"}, "holds 1000000 values; 1 to 100000"),
        ({"from": "0 Mbit/s", "to": "2 Mbit/s", "step": "1 Mbit/s"}, "is out of range; at least 1 bit/s"),
    ],
)
def test_what_cannot_be_spaced_is_named_in_one_line(span, says):
    with pytest.raises(ConfigError) as caught:
        rates(span)
    assert str(caught.value).startswith(f"demo.yaml: sets.set.sweep.grid.{RATE}")
    assert says in str(caught.value)

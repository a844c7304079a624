"""Groups of sources: what each has of its own, and else of the base."""

from typing import Any

import pytest
from conftest import points

from tcpatlas.base.errors import ConfigError


def test_a_group_inherits_the_tcp_of_the_base_key_by_key(scenario: dict[str, Any]) -> None:
    scenario["base"]["sources"].pop("count")
    groups = {"plain": {"count": 1}, "gentle": {"count": 2, "tcp": {"variant": "tahoe"}}}
    asked = {"base": scenario["base"] | {"groups": groups}}
    (point,) = points(asked | {"sets": scenario["sets"]}, {"override": {"tcp.rwnd": "9 packets"}}).values()
    plain, gentle = (group["tcp"] for group in point.document["sources"])
    assert (plain["variant"], gentle["variant"]) == ("newreno", "tahoe")
    assert {**gentle, "variant": "newreno"} == plain
    assert plain["rwnd_packets"] == 9
    swept = {"sweep": {"grid": {"groups.gentle.tcp.variant": ["reno", "tahoe"]}}}
    variants = [
        point.document["sources"][1]["tcp"]["variant"]
        for point in points(asked | {"sets": scenario["sets"]}, swept).values()
    ]
    assert variants == ["reno", "tahoe"]


def test_groups_have_what_they_say_and_else_what_the_base_says(scenario: dict[str, Any]) -> None:
    del scenario["base"]["sources"]["count"]
    scenario["base"]["groups"] = {
        "near": {"count": 2},
        "far": {"count": 3, "access": {"rate": "2 Mbit/s"}, "extra_delay": "100 ms"},
    }
    sweep = {"list": [{"groups.far.extra_delay": "0 s"}, {"groups.far.extra_delay": "1 s", "rtt": "51 ms"}]}
    near, far = points(scenario, {"sweep": sweep})["extra_delay-1-s_rtt-51-ms"].document["sources"]
    assert (near["name"], near["count"], near["extra_delay_s"]) == ("near", 2, 0)
    assert (far["name"], far["count"], far["extra_delay_s"]) == ("far", 3, 1)
    assert near["access"]["rate_bit_per_s"] == 100000000
    assert far["access"]["rate_bit_per_s"] == 2000000
    assert near["workload"] == far["workload"]
    assert near["tcp"] == far["tcp"]


def test_a_group_without_tcp_of_its_own_has_nothing_to_change(scenario: dict[str, Any]) -> None:
    scenario["base"] |= {"groups": {"a": {"count": 2}}}
    del scenario["base"]["sources"]["count"]
    with pytest.raises(ConfigError, match=r"override\.groups\.a\.tcp\.rwnd: the base has no 'tcp' here"):
        points(scenario, {"override": {"groups.a.tcp.rwnd": "8 packets"}})

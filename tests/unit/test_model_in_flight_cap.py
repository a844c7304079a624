"""The cap of what BBR has in flight, against its formula worked by hand."""

import pytest
from dumbbell import dumbbell

from tcpatlas.models import in_flight_cap
from tcpatlas.points.errors import PointError

RATE = 2500 / 3  # packets/s: 10 Mbit/s


@pytest.mark.parametrize(
    ("flows", "buffer", "share"),
    [
        # p = 1/2 - 1/4.02 - 4/67 = 0.19154; (1 - p) (1 - (0.0804 + 0.2 + 0.04)/10) = 0.80846 * 0.96796
        (1, 67, 0.78256),
        # p = 1/2 - 1/64.02 - 4/1067 = 0.48063; (1 - p) (1 - (1.2804 + 0.24)/10) = 0.51937 * 0.84796
        (1, 1067, 0.44041),
        # p = 1/2 - 1/128 - 128/2133.33 = 0.43219; (1 - p) (1 - (2.56 + 0.24)/10) = 0.56781 * 0.72
        (32, 6400 / 3, 0.40882),
        (1, 33, 1),  # p = 1/2 - 1/1.98 - 4/33 < 0, and a share is at most all
    ],
)
def test_shares_worked_by_hand(flows, buffer, share):
    assert in_flight_cap.bbr_share(flows, buffer, RATE, 0.04) == pytest.approx(share, abs=1e-5)


def point(*variants, **more):
    tcp = {"rwnd_packets": 6000, "initial_window_packets": 10, "min_rto_s": 0.24}
    made = dumbbell(
        1e7, 67, {"variant": "bbr"} | tcp, delays=(0, 0.02, 0, 0.0188), access=1e15, egress=1e15, **more
    )
    (group,) = made["sources"]
    made["sources"] = [
        group | {"name": f"of-{variant}", "tcp": {"variant": variant} | tcp} for variant in variants
    ]
    return made


def test_a_point_is_answered_whichever_group_is_bbrs():
    for variants in (("bbr", "cubic"), ("newreno-sack", "bbr")):
        at = point(*variants)
        in_flight_cap.check(at)
        (answer,) = in_flight_cap.predict([at])
        shares = {name: metric["value"] for name, metric in answer["metrics"].items()}
        assert shares.pop("goodput_share[of-bbr]") == pytest.approx(0.78256, abs=1e-5)
        assert list(shares.values()) == [pytest.approx(0.21744, abs=1e-5)]


@pytest.mark.parametrize(
    ("at", "path"),
    [
        (point("cubic", "newreno-sack"), "groups"),
        (point("bbr", "bbr"), "groups"),
        (point("bbr"), "groups"),
        (point("bbr", "cubic", loss=0.01), "links.bottleneck.loss"),
    ],
)
def test_other_points_are_refused(at, path):
    with pytest.raises(PointError, match="in_flight_cap") as refused:
        in_flight_cap.check(at)
    assert refused.value.paths == (path,)

"""The exogenous rate inferred from throughput and round-trip time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.models.shared_bottleneck.fluid import Path, cycle
from tcpatlas.models.shared_bottleneck.inverse import infer_exogenous_rate


@given(
    buffer=st.integers(2, 60), mu=st.floats(20, 500), share=st.floats(0.02, 0.9), delay=st.floats(0.02, 0.3)
)
def test_the_models_own_answer_leads_back(buffer: int, mu: float, share: float, delay: float) -> None:
    path = Path.of(buffer, mu, share * mu, delay, delay)
    truth = cycle(path)
    again = cycle(
        Path.of(buffer, mu, infer_exogenous_rate(path, truth.throughput, truth.mean_delay), delay, delay)
    )
    assert again.throughput == pytest.approx(float(truth.throughput), rel=1e-3)
    assert again.mean_delay == pytest.approx(float(truth.mean_delay), rel=1e-3)


def test_rate_comes_back_in_packets_per_second() -> None:
    """Cases 4 and 9 of table 1, as arrays."""
    exogenous = [22, 5]
    path = Path.of([10, 5], 60, exogenous, 0.15, [0.15, 0.10])
    truth = cycle(path)
    assert infer_exogenous_rate(path, truth.throughput, truth.mean_delay) == pytest.approx(
        exogenous, rel=1e-3
    )


def test_throughput_alone_can_fit_on_either_side_of_the_criterion() -> None:
    """Case 4 carries the same with less exogenous traffic and two slow starts; case 9 does not."""
    path = Path.of([10, 5], 60, [22, 5], 0.15, [0.15, 0.10])
    truth = cycle(path)
    inferred = infer_exogenous_rate(path, truth.throughput)
    again = cycle(Path.of([10, 5], 60, inferred, 0.15, [0.15, 0.10]))
    assert again.throughput == pytest.approx(truth.throughput, rel=1e-3)
    assert again.two_slow_starts.tolist() == [True, True]
    assert inferred[1] == pytest.approx(5, rel=1e-3)


def test_measurements_must_be_positive() -> None:
    path = Path.of(10, 60, 0, 0.15, 0.15)
    with pytest.raises(ValueError, match="more than 0"):
        infer_exogenous_rate(path, 0, 0.6)

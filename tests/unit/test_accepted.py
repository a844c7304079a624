"""The files of accepted numbers: plain, sorted, and nothing compared is lost in them."""

from pathlib import Path

import pytest
from conftest import cases

from tcpatlas.base.errors import ConfigError
from tcpatlas.regression.accepted import COLUMNS, accepted_text, checked, read_table

TABLE = """\
set,point,engine,metric,unit,value,ci_low,ci_high,replications
demo/load,count-1,model:parrot,rate,bit/s,4.25,,,
demo/load,count-1,packetsim,rate,bit/s,0.4,0.30000000000000004,0.5,3
demo/load,count-2,packetsim,loss,1,0.1,0.2,0.4,2
demo/load,count-2,packetsim,rate,bit/s,6.25,,,1
"""


def test_the_order_does_not_depend_on_who_answered_first(tmp_path: Path) -> None:
    path = tmp_path / "demo.csv"
    heading, *rows = TABLE.splitlines()
    path.write_text("\n".join([heading, *reversed(rows)]))
    table = checked(read_table(path)[COLUMNS], path)
    assert accepted_text(table) == TABLE


@cases("accepted.what_is_broken_is_named")
def test_what_is_broken_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "demo.csv"
    path.write_text(TABLE.replace(old, new))
    with pytest.raises(ConfigError) as caught:
        checked(read_table(path), path)
    assert str(caught.value).startswith(f"{path}: {says}")
    assert "\n" not in str(caught.value)

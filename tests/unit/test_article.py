"""The article on one paper (`./atlas article`), of invented results."""

import shutil
import sys
from pathlib import Path

import pytest
from conftest import data

from tcpatlas.base.errors import AtlasError

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "workflow/scripts"))
from article import Article, tex, typeset  # noqa: E402

TABLES: dict[str, str] = data("article.tables")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    for name, text in TABLES.items():
        file = tmp_path / f"{name}.csv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def test_each_number_is_counted_once_in_abstract_and_table(results: Path) -> None:
    article = Article("p", results)
    assert (
        "1 of 3 printed numbers that we replicate are reproduced (1 deviating, 1 undecided). 1 of 1 numbers "
        "that follow from other printed ones are reproduced. 1 of 2 sentences that can be checked hold."
    ) in article.abstract()
    assert r"\mbox{\texttt{table-1}} & Loss & 3 & 2 & 1 &  \\" in article.by_item()
    assert r"Ties decide. & 1 &  \\" in article.reasons()
    assert "Of 2 sentences that can be checked, 1 holds and 1 fails." in article.failing()
    assert r"\item It is 5 \% more (\mbox{\texttt{table-1}})" in article.failing()
    assert article.today() == ""
    assert 'title: "[Re] On_TCP & more"' in article.metadata()


def test_what_no_article_can_be_made_of_is_said_in_a_line(results: Path) -> None:
    with pytest.raises(AtlasError, match=r"^article: 'mine' is no paper of .*; one of: p$"):
        Article("mine", results)
    short = TABLES["claims"].replace("undecided", "smoke")
    (results / "claims.csv").write_text(short)
    with pytest.raises(AtlasError, match="too short to judge by"):
        Article("p", results)


@pytest.mark.skipif(shutil.which("latexmk") is None, reason="LaTeX is not installed")
def test_it_is_typeset_and_says_what_latex_misses(results: Path) -> None:
    with pytest.raises(AtlasError, match=r"^article: LaTeX: .*article\.tex:4: .* \(.*article\.log\)$"):
        typeset(Article("p", results), results / "p.pdf")


def test_the_sentences_are_told_tcp_by_tcp_and_not_at_all_where_none_applies(results: Path) -> None:
    head = "paper,counted,what,tcp,verdict\n"
    none = "p,true,sentence,BBR,does not apply\np,true,number,BBR,no longer\n"
    (results / "now.csv").write_text(head + none)
    assert Article("p", results).today() == ""
    held = "p,true,sentence,CUBIC,still holds\np,true,sentence,CUBIC,no longer\n" * 2
    (results / "now.csv").write_text(head + none + held + "p,true,sentence,CUBIC,engines differ\n")
    told = "With CUBIC, of 5 that can be asked, 2 still hold, 2 no longer hold and 1 differs by packetsim and"
    assert told in Article("p", results).today()


def test_special_letters_are_those_of_the_text() -> None:
    assert tex(r"ab_cd ^ 5 % \ {~}") == r"ab\_cd \^{} 5 \% \textbackslash{} \{\textasciitilde{}\}"
    assert tex("w_max of 44, rho_0 = 1, gamma 30, figure_a, EE(7)") == (
        r"$w_{\mathrm{max}}$ of 44, $\rho_{\mathrm{0}}$ = 1, $\gamma$ 30, figure\_a, EE(7)"
    )

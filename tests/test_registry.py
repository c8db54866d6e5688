"""Finding, selecting and loading rules."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fake_rules import fake_catalogue
from tfxla_lint.registry import (
    PLUGIN_FAMILY,
    STANDING,
    Catalogue,
    RuleInfo,
    Selection,
    load_rule,
    read_catalogue,
)
from tfxla_lint.rule import FAMILIES

ROOT = Path(__file__).parents[1]


@pytest.fixture
def catalogue() -> Catalogue:
    return fake_catalogue()


def select(catalogue: Catalogue, *layers: Selection) -> set[str]:
    return set(catalogue.select(layers, catalogue.defaults))


@pytest.mark.parametrize("info", read_catalogue().rules, ids=lambda info: info.code)
def test_the_catalogue_says_what_the_class_says(info: RuleInfo) -> None:
    rule = load_rule(info)
    assert (rule.code, rule.name, rule.summary) == (info.code, info.name, info.summary)
    assert (rule.level, rule.default, tuple(rule.fixes)) == (info.level, info.default, info.fixes)
    assert {key: getattr(rule, key) for key in STANDING} == {
        key: getattr(info, key) for key in STANDING
    }
    assert rule.page == info.page == inspect.cleandoc(type(rule).__doc__ or "")
    assert info.family == PLUGIN_FAMILY or info.family == FAMILIES[info.code[3]]


def test_reading_the_catalogue_imports_no_rule() -> None:
    code = (
        "import sys; from tfxla_lint.registry import read_catalogue;"
        "assert len(read_catalogue().rules) > 1;"
        "sys.exit('libcst' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_catalogue_reads_a_rule_that_is_a_folder() -> None:
    modules = {info.module for info in read_catalogue().rules}
    folders = {path.parent for path in (ROOT / "rules").glob("*/*/rule.py")}
    assert folders
    expected = {f"tfxla_lint.rules.{f.parent.name}.{f.name}.rule" for f in folders}
    assert {module for module in modules if module.endswith(".rule")} == expected


@pytest.mark.parametrize(
    ("selector", "codes"),
    [
        ("TXL102", {"TXL102"}),
        ("txl102", {"TXL102"}),
        ("TXL1", {"TXL102", "TXL104"}),
        ("TXL10", {"TXL102", "TXL104"}),
        ("TXL0", {"TXL001", "TXL002", "TXL003"}),
        ("eager", {"TXL102", "TXL104"}),
        ("host-sync-in-loop", {"TXL104"}),
        (" xla ", {"TXL405"}),
    ],
)
def test_selectors(catalogue: Catalogue, selector: str, codes: set[str]) -> None:
    assert catalogue.expand(selector) == frozenset(codes)


@pytest.mark.parametrize("selector", ["ALL", "all", "TXL"])
def test_all(catalogue: Catalogue, selector: str) -> None:
    assert catalogue.expand(selector) == catalogue.codes


@pytest.mark.parametrize("selector", ["", "TXL9", "TXL1021", "eager-loop", "102", "TX"])
def test_what_is_no_selector(catalogue: Catalogue, selector: str) -> None:
    assert catalogue.expand(selector) is None


def test_the_nearest_selector(catalogue: Catalogue) -> None:
    assert catalogue.nearest("TXL103") in ("TXL102", "TXL104")
    assert catalogue.nearest("eager_loop_body") == "eager-loop-body"
    assert catalogue.nearest("completely different") is None


def test_find_takes_codes_and_names_only(catalogue: Catalogue) -> None:
    found = catalogue.find("txl405")
    assert found is not None
    assert found.name == "missing-jit-compile"
    assert catalogue.find("missing-jit-compile") == found
    assert catalogue.find("xla") is None
    assert catalogue.find("TXL4") is None


def test_opt_in_rules_are_off(catalogue: Catalogue) -> None:
    assert "TXL405" not in select(catalogue)
    assert "TXL405" in select(catalogue, Selection(extend_select=["TXL405"]))
    assert "TXL405" in select(catalogue, Selection(select=["ALL"]))
    assert "TXL405" in select(catalogue, Selection(select=["missing-jit-compile"]))


@pytest.mark.parametrize("selector", ["TXL", "TXL4", "TXL40", "xla"])
def test_no_prefix_or_family_turns_an_opt_in_rule_on(catalogue: Catalogue, selector: str) -> None:
    assert "TXL405" not in select(catalogue, Selection(select=[selector]))
    assert "TXL405" not in select(catalogue, Selection(extend_select=[selector]))
    opted = Selection(extend_select=["TXL405"])
    assert "TXL405" not in select(catalogue, opted, Selection(ignore=[selector]))


def test_a_prefix_covers_the_fixes_of_opt_in_rules(catalogue: Catalogue) -> None:
    assert "TXL405" in catalogue.select([Selection(select=["TXL4"])], catalogue.codes)


def test_the_more_exact_selector_wins(catalogue: Catalogue) -> None:
    assert select(catalogue, Selection(select=["TXL102"], ignore=["TXL1"])) == {"TXL102"}
    assert select(catalogue, Selection(select=["eager"], ignore=["TXL104"])) == {"TXL102"}
    assert select(catalogue, Selection(select=["eager"], ignore=["eager"])) == set()
    assert select(catalogue, Selection(select=["TXL1"], ignore=["eager"])) == set()


def test_a_later_layer_beats_an_earlier_one(catalogue: Catalogue) -> None:
    file = Selection(select=["TXL1"], ignore=["TXL104"])
    assert select(catalogue, file) == {"TXL102"}
    assert select(catalogue, file, Selection(extend_select=["eager"])) == {"TXL102", "TXL104"}
    assert select(catalogue, file, Selection(select=["TXL104"])) == {"TXL104"}
    assert select(catalogue, file, Selection(ignore=["ALL"])) == set()


PLUGIN = '''
import libcst as cst
from tfxla_lint.rule import Report, Rule

class Lambda(Rule):
    """A page."""
    code = "{code}"
    name = "no-lambda"
    summary = "A lambda"

    def check(self, model):
        for node in model.nodes(cst.Lambda):
            yield Report(node, "a lambda")

RULES = [Lambda]
'''


def lint_with_plugin(folder: Path, text: str, target: str) -> subprocess.CompletedProcess[str]:
    """Lint a file with a package on the path that offers rules by an entry point."""
    site = folder / "site"
    metadata = site / "house_rules-1.0.dist-info"
    metadata.mkdir(parents=True)
    (site / "house_rules.py").write_text(text)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: house-rules\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[tfxla_lint.rules]\nhouse = {target}\n")
    (folder / "a.py").write_text("import tensorflow as tf\nf = lambda: 1\n")
    code = f"import sys; sys.path.append({str(site)!r}); from tfxla_lint.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "--isolated", "--output-format", "concise", "a.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("target", ["house_rules:Lambda", "house_rules:RULES"])
def test_rules_of_other_packages(tmp_path: Path, target: str) -> None:
    done = lint_with_plugin(tmp_path, PLUGIN.format(code="HSE001"), target)
    assert "a.py:2:5: warning HSE001 no-lambda: a lambda" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise RuntimeError('broken')", "do not load: RuntimeError: broken"),
        (PLUGIN.format(code="TXL999"), "uses our prefix in TXL999"),
        ("Lambda = 3", "'int' object is not iterable"),
        ("Lambda = int", "<class 'int'> is no rule"),
        (PLUGIN.replace('"{code}"', "3"), "Lambda.code is 3, and is to be <class 'str'>"),
        (PLUGIN.replace("code = ", "speaks_for = 5; code = "), "Lambda.speaks_for is 5"),
        (PLUGIN.replace("code = ", "level = 'note'; code = "), "Lambda.level is 'note'"),
        (PLUGIN.replace("code = ", "variant = 'gpu'; code = "), "Lambda.variant is 'gpu'"),
        (PLUGIN.replace("code = ", "fixes = (1,); code = "), "Lambda.fixes is (1,)"),
    ],
)
def test_a_plugin_at_fault_is_named(tmp_path: Path, text: str, message: str) -> None:
    done = lint_with_plugin(tmp_path, text, "house_rules:Lambda")
    assert done.returncode == 2
    assert "house_rules:Lambda" in done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["all", "eager", "txl1"])
def test_a_plugin_takes_no_word_that_means_other_rules(tmp_path: Path, name: str) -> None:
    text = PLUGIN.format(code="HSE001").replace("no-lambda", name)
    done = lint_with_plugin(tmp_path, text, "house_rules:Lambda")
    assert done.returncode == 2
    assert f"'{name}' is the name of house_rules, and means other rules" in done.stderr

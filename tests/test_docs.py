"""The documentation: what it shows is what happens, and its links lead somewhere."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import itertools
import json
import re
import shlex
import shutil
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import tfxla_lint
from tfxla_lint.cli.group import cli
from tfxla_lint.findings import Finding
from tfxla_lint.interface import check
from tfxla_lint.registry import read_catalogue
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver
from tools import picture, release, write_settings

ROOT = Path(__file__).parents[1]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
BLOCK = re.compile(
    r"(?:<!-- (?P<note>[^\n]*?) -->\n)?^(?P<indent> *)```(?P<language>\w+)[^\n]*\n(?P<text>.*?)^ *```$",
    re.M | re.S,
)
#: Commands of others, which are not ours to check.
OTHERS = (
    "pip",
    "pipx",
    "uvx",
    "flake8",
    "docker",
    "code",
    "npm",
    "npx",
    "cd",
    "python3",
    ".venv/bin/",
)


def blocks(path: Path, *languages: str) -> Iterator[re.Match[str]]:
    return (m for m in BLOCK.finditer(path.read_text("utf-8")) if m["language"] in languages)


def text_of(match: re.Match[str]) -> str:
    indent = len(match["indent"])
    return "".join(line[indent:] for line in match["text"].splitlines(keepends=True))


def page_id(path: Path) -> str:
    return path.name


def test_the_pages_show_something() -> None:
    """What the tests below hold is on the pages, and is seen there."""
    every = [match for path in PAGES for match in BLOCK.finditer(path.read_text("utf-8"))]
    languages = Counter(match["language"] for match in every)
    assert min(languages[name] for name in ("python", "sh", "toml")) >= 5
    assert sum((match["note"] or "").startswith("says: ") for match in every) >= 3
    assert sum(1 for path in PAGES for _ in commands(path)) >= 30


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_python_parses_and_draws_what_the_page_says(path: Path, tmp_path: Path) -> None:
    """`<!-- says: CODE -->` above a block names what the tool finds; the text below is of that."""
    page = path.read_text("utf-8")
    for match in blocks(path, "python"):
        code = text_of(match)
        ast.parse(code)
        found = list(check(code, filename=tmp_path / "a.py", isolated=True))
        # What examples of suppressions silence is not shown with them.
        wrong = [f for f in found if f.code.startswith(("TXL0", "TXL5")) and f.code != "TXL002"]
        assert not [f.message for f in wrong]
        kind, _, names = (match["note"] or "").partition(": ")
        if kind != "says":
            continue
        assert [f.code for f in found] == [name for name in names.split(", ") if name != "nothing"]
        told = re.match(r"\n*```text\n(.*?)\n```", page[match.end() :], re.S)
        if told is not None:
            assert told[1] in [f.message for f in found]


def test_the_example_of_the_python_interface_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    match = next(blocks(ROOT / "docs" / "python.md", "python"))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(text_of(match), "python.md", "exec"), {"__name__": "example"})
    assert re.match(r"TXL502 3 .* takes no argument `lr`", said.getvalue())


def commands(path: Path) -> Iterator[str]:
    """The commands of the shell on a page, one by one."""
    for match in blocks(path, "sh", "console"):
        for line in text_of(match).splitlines():
            is_shown = match["language"] == "sh" or line.startswith("$ ")
            parts = re.split(r" && | \| ", line.removeprefix("$ ").partition("  #")[0])
            yield from (part.strip() for part in parts if is_shown and part.strip())


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_commands_name_options_that_exist(path: Path) -> None:
    for command in commands(path):
        words = shlex.split(command)
        if words[0] != "tfxla-lint":
            assert words[0].startswith(("reviewdog", *OTHERS)), f"{command}: what is this?"
            continue
        context = click.Context(cli, info_name="tfxla-lint")
        rest = words[1:]
        name = rest.pop(0) if rest and rest[0] in cli.list_commands(context) else "check"
        inner = cli.get_command(context, name)
        assert inner is not None
        # A command keeps the names of its `--help` from the first time that it is asked.
        own_context = click.Context(inner, context, **inner.context_settings)
        parameters = inner.get_params(own_context)
        known = {o for p in parameters for o in (*p.opts, *p.secondary_opts)}
        own = rest[: rest.index("--")] if "--" in rest else rest
        given = {word.partition("=")[0] for word in own if re.match("--?[a-z]", word)}
        assert given <= known, command


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_settings_are_valid(path: Path, tmp_path: Path) -> None:
    for match in blocks(path, "toml"):
        text = text_of(match)
        if "[tool.tfxla-lint" in text:
            (tmp_path / "pyproject.toml").write_text(text, "utf-8")
            SettingsResolver(Layer(tmp_path)).for_folder(tmp_path)


def heads(path: Path) -> set[str]:
    """The anchors of a page."""
    found = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in found}


@pytest.mark.parametrize("path", [*PAGES, ROOT / "CHANGELOG.md"], ids=page_id)
def test_links_lead_somewhere(path: Path) -> None:
    made = {f"rules/{rule.code}.md" for rule in read_catalogue().rules} | {"rules/index.md"}
    text = re.sub(r"`[^`]*`", "", path.read_text("utf-8"))
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)[^)]*\)", text):
        name, _, anchor = link.partition("#")
        if name in made:
            continue
        target = path.parent / name if name else path
        assert target.exists(), f"{path.name}: {link}"
        assert not anchor or anchor in heads(target), f"{path.name}: {link}"


def test_each_yes_of_the_comparison_is_a_test() -> None:
    text = (ROOT / "docs" / "comparison.md").read_text("utf-8")
    rows = [line.split("|")[2].strip() for line in text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 15
    for row in rows:
        match = re.fullmatch(r'\[✓\]\(\.\./(tests/\S+) "(\w+)"\)', row)
        assert match is not None, row
        tree = ast.parse((ROOT / match[1]).read_text("utf-8"))
        names = {
            n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        assert match[2] in names, row


def test_what_is_made_of_the_settings_is_up_to_date() -> None:
    """Else: `python -m tools.write_settings`."""
    page = write_settings.PAGE.read_text("utf-8")
    assert page == write_settings.page(page)
    assert write_settings.SCHEMA.read_text("utf-8") == write_settings.schema()
    properties = json.loads(write_settings.schema())["properties"]
    assert properties["fail-on"]["enum"] == ["error", "warning", "note"]
    assert properties["select"]["items"] == {"type": "string"}
    assert properties["unsafe-fixes"]["type"] == "boolean"


def test_the_picture_shows_what_the_tool_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else: `python -m tools.picture`. What running showed is kept from when it was drawn."""
    session = picture.SESSION.read_text("utf-8")
    parts = re.split(r"^\$ tfxla-lint .*\n", session, flags=re.M)[1:]
    script = shutil.copyfile(picture.SCRIPT, tmp_path / picture.SCRIPT.name)
    monkeypatch.chdir(tmp_path)
    (found,) = check(script, isolated=True)
    assert isinstance(found, Finding)
    flat = " ".join(parts[0].split())
    assert f"{found.code} {found.name}: [*] {found.message}" in flat
    fixed = tfxla_lint.fix(script, write=False, isolated=True)
    assert fixed.diff.partition("@@")[2] in parts[1]
    faster = re.search(r"equivalent .* (\d+)\.\dx\n", parts[2])
    assert faster is not None
    drawn = re.sub(r"<.*?>", "", picture.PICTURE.read_text("utf-8"))
    for line in session.splitlines():
        assert line.strip() in drawn.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")
    assert f"{faster[1]} times faster" in " ".join((ROOT / "README.md").read_text("utf-8").split())


@pytest.mark.skipif(
    importlib.util.find_spec("material") is None, reason="the extra docs is missing"
)
def test_the_site_is_built_without_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a bare theme and without the gallery, which has tests of its own: they take long."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    (tmp_path / "main.html").write_text("{{ page.content }}", "utf-8")
    monkeypatch.setattr("tools.write_gallery.pages", lambda catalogue: {})
    monkeypatch.setattr(sys, "path", [*sys.path])
    config = load_config(
        str(ROOT / "mkdocs.yml"),
        strict=True,
        site_dir=str(tmp_path / "site"),
        theme={"name": None, "custom_dir": str(tmp_path)},
        plugins=[],
        markdown_extensions=["tables", "toc", "fenced_code"],
    )
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    for rule in read_catalogue().rules:
        assert rule.summary.rstrip(".").split("`")[0] in (
            tmp_path / "site" / "rules" / rule.code / "index.html"
        ).read_text("utf-8").replace("&gt;", ">")
    assert "one folder a family" in (tmp_path / "site" / "contributing" / "index.html").read_text()


def test_a_release_is_checked(tmp_path: Path) -> None:
    """What is built is checked by tests/test_packaging.py as well."""
    for name in ("README.md", "CHANGELOG.md", "docs/ci.md", "editors/vscode/package.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    version = tfxla_lint.__version__
    notes = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    dated = re.sub(rf"^## {version}.*$", f"## {version} (2026-12-01)", notes, flags=re.M)
    (tmp_path / "CHANGELOG.md").write_text(dated, "utf-8")
    assert list(release.stale(tmp_path, version)) == []
    (tmp_path / "CHANGELOG.md").write_text(dated.replace("2026-12-01", "unreleased"), "utf-8")
    (unreleased,) = release.stale(tmp_path, version)
    assert "calls" in unreleased
    found = list(release.stale(tmp_path, "9.9.9"))
    assert "CHANGELOG.md has no heading for 9.9.9" in found
    assert f"README.md names {version}" in found
    assert "editors/vscode/package.json has another version" in found


def test_what_is_wrong_with_a_wheel_is_said(tmp_path: Path) -> None:
    wheel = tmp_path / "tfxla_lint-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tfxla_lint-1.0.dist-info/METADATA", "Name: tfxla-lint\nVersion: 1.1\n\n")
    found = "\n".join(itertools.islice(release.wrong_in([wheel], "1.0"), 7))
    assert "not one sdist and one wheel" in found
    assert "no Requires-Python" in found
    assert "its version is 1.1" in found
    assert "the README is not said to be Markdown" in found

"""Baselines, changes since a revision, paths of reports, and what makes a run fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.notebooks.cases import cell, notebook
from tests.running import Done, Run
from tests.test_cli import HEADER, run, write
from tfxla_lint.repository.git import GitError
from tfxla_lint.verify.git import changed_pairs, files_gone
from tfxla_lint.verify.patch import patched_pairs

__all__ = ["run"]
OLD = HEADER + "def train():\n    sync()\n\n\nx = 3\n"
LINE = ["--output-format", "concise"]

Git = Callable[..., None]


@pytest.fixture
def git(run: Run) -> Git:
    """A repository in the working folder; runs git in it, with the files as they are committed."""

    def git(*arguments: str) -> None:
        author = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *author, *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    return git


def commit(git: Git) -> None:
    git("add", "-A")
    git("commit", "-qm", "state")


def lines(done: Done) -> list[str]:
    return [line for line in done.out.splitlines() if ":" in line]


# What fails


@pytest.mark.parametrize(
    ("level", "text", "status"),
    [
        ("note", "while x: pass\n", 1),
        ("warning", "while x: pass\n", 0),
        ("warning", "sync()\n", 1),
        ("error", "sync()\n", 0),
        ("error", "x = 3\n", 1),
        ("error", "x = = 3\n", 1),
    ],
)
def test_fail_on(run: Run, level: str, text: str, status: int) -> None:
    write("a.py", HEADER + text)
    done = run("--fail-on", level, "--select", "ALL", "a.py")
    assert "Found 1 finding." in done.out
    assert done.status == status
    write("tfxla-lint.toml", f'fail-on = "{level}"\n')
    assert run("--select", "ALL", "a.py").status == status


def test_a_note_is_shown_and_fails_nothing(run: Run) -> None:
    write("a.py", HEADER + "while x: pass\n")
    done = run("--select", "ALL", *LINE, "a.py")
    assert (done.status, lines(done)[0].split(":")[3].split()[0]) == (0, "note")


# Baselines


def test_only_new_findings_are_reported(run: Run) -> None:
    write("src/a.py", OLD)
    done = run("--baseline", "known.json", "--write-baseline", ".")
    assert done == Done(0, "", "Wrote 2 findings to known.json.\n")
    assert run("--baseline", "known.json", ".") == Done(
        0, "No findings in 1 file.\n2 findings of known.json left out.\n", ""
    )
    moved = "# new\n\n" + OLD.replace("    sync()", "    if a:\n            sync( )  # now")
    write("src/a.py", moved)
    assert run("--baseline", "known.json", "src").status == 0
    write("src/a.py", moved + "sync()\n")
    done = run("--baseline", "known.json", *LINE, ".")
    assert done.status == 1
    assert lines(done) == [
        "src/a.py:10:1: warning TXL104 host-sync-in-loop: a synchronisation",
    ]


def test_a_baseline_is_found_from_every_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("src/a.py", OLD)
    write("tfxla-lint.toml", 'baseline = "known.json"\n')
    assert run("--write-baseline").status == 0
    monkeypatch.chdir("src")
    assert run("a.py").status == 0
    assert run("--isolated", "a.py").status == 1


def test_what_is_gone_is_told_and_forgotten(run: Run) -> None:
    write("a.py", OLD)
    write("b.py", OLD)
    run("--baseline", "known.json", "--write-baseline", ".")
    write("a.py", HEADER)
    known = ["--baseline", "known.json"]
    assert "2 of it gone" in run(*known, "a.py").out
    assert run(*known, "--write-baseline", "a.py").status == 0
    assert run(*known, "b.py").status == 0, "what was not looked at stays known"
    assert "gone" not in run(*known, ".").out


def test_a_syntax_error_is_never_known(run: Run) -> None:
    write("a.py", "x = = 1\n")
    assert run("--baseline", "known.json", "--write-baseline", ".").status == 0
    assert run("--baseline", "known.json", ".").status == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--baseline", "missing.json"],
        ["--write-baseline"],
        ["--write-baseline", "--fix", "--baseline", "b.json"],
        ["--write-baseline", "--diff-base", "HEAD", "--baseline", "b.json"],
        ["--write-baseline", "--verify", "--baseline", "b.json"],
        ["--write-baseline", "--baseline", "missing/b.json"],
        ["--diff-base", "HEAD", "--fix"],
        ["--diff-base", "HEAD"],
        ["--report", "sarif"],
        ["--report", "html=x"],
        ["--report", "sarif=missing/x"],
        ["--fail-on", "never"],
    ],
)
def test_what_cannot_be_done_is_said(run: Run, arguments: list[str]) -> None:
    write("a.py", HEADER)
    done = run(*arguments, "a.py")
    assert done.status == 2
    assert "rror" in done.err


# Changes


def test_changed_lines_and_what_they_cause(run: Run, git: Git) -> None:
    write("a.py", OLD)
    commit(git)
    write("a.py", OLD.replace("x = 3", "y = 3\nx = 3").replace("def", "for i in a: pass\ndef"))
    done = run("--diff-base", "HEAD", *LINE, ".")
    assert done.status == 1
    assert lines(done) == [
        "a.py:2:5: warning TXL102 eager-loop-body: a loop",
        "a.py:7:5: error TXL501 unknown-symbol: the number 3",
    ]
    commit(git)
    assert run("--diff-base", "HEAD", ".").status == 0
    assert lines(run("--diff-base", "HEAD~1", *LINE, ".")) == lines(done)


def test_what_a_change_causes_elsewhere_is_marked(run: Run, git: Git) -> None:
    write("a.py", HEADER + "for i in x:\n    # one\n    sync()\n")
    commit(git)
    write("a.py", HEADER + "while x:\n    # one\n    sync()\n")
    done = run("--diff-base", "HEAD", *LINE, "a.py")
    assert lines(done) == [
        "a.py:4:5: warning TXL104 host-sync-in-loop: a synchronisation"
        " (new since HEAD, on an unchanged line)"
    ]
    found = json.loads(run("--diff-base", "HEAD", "--output-format", "json", ".").out)
    assert found["findings"][0]["is_on_unchanged_line"] is True
    found = json.loads(run("--diff-base", "HEAD", "--output-format", "sarif", ".").out)
    assert found["runs"][0]["results"][0]["properties"] == {"isOnUnchangedLine": True}


def test_a_syntax_error_that_was_there_before_is_not_new(run: Run, git: Git) -> None:
    write("a.py", "x = [\ny = 1\n")
    write("b.py", "import a\nx = = 1\n")
    Path("c.py").write_bytes(b"x = '\xff'\n")
    commit(git)
    assert run("--diff-base", "HEAD", ".").status == 0
    write("b.py", "import a\ny = 2\nx = = 1\n")
    write("d.py", "import a\n")
    assert run("--diff-base", "HEAD", ".").status == 0
    write("d.py", "import = a\n")
    write("b.py", "import = a\nx = = 1\n")
    done = run("--diff-base", "HEAD", *LINE, ".")
    assert done.status == 1
    assert [line.partition(" ")[0] for line in lines(done)] == ["b.py:1:8:", "d.py:1:8:"]


def test_how_people_like_their_diffs_has_no_say(run: Run, git: Git) -> None:
    for name, value in {
        "color.ui": "always",
        "diff.context": "9",
        "diff.external": "false",
        "diff.interHunkContext": "50",
        "diff.mnemonicPrefix": "true",
        "diff.noprefix": "true",
        "diff.relative": "true",
        "diff.renames": "false",
    }.items():
        git("config", name, value)
    write(".gitattributes", "*.py binary\n")
    write("sub/a.py", HEADER + "x = 3\n" * 9)
    commit(git)
    write("sub/a.py", HEADER + "y = 3\n" + "x = 3\n" * 7 + "y = 3\n")
    found = run("--diff-base", "HEAD", *LINE, "-v", ".")
    assert [line.split(":")[1] for line in lines(found)] == ["2", "10"]


def test_a_branch_is_compared_with_where_it_began(run: Run, git: Git) -> None:
    write("a.py", OLD)
    commit(git)
    git("switch", "-qc", "topic")
    write("b.py", HEADER + "x = 2\n")
    commit(git)
    git("switch", "-q", "main")
    write("a.py", HEADER)
    commit(git)
    git("switch", "-q", "topic")
    assert lines(run("--diff-base", "main", *LINE, ".")) == [
        "b.py:2:5: error TXL501 unknown-symbol: the number 2"
    ]


def test_moved_untracked_and_ignored_files(run: Run, git: Git) -> None:
    write("a.py", OLD * 3)
    write(".gitignore", "ignored.py\n")
    commit(git)
    git("mv", "a.py", 'caf\u00e9 \t"b".py')
    write("new.py", HEADER + "x = 3\n")
    write("ignored.py", OLD)
    done = run("--diff-base", "HEAD", *LINE, ".", "ignored.py")
    assert lines(done) == ["new.py:2:5: error TXL501 unknown-symbol: the number 3"]


def test_the_older_state_has_its_own_settings(run: Run, git: Git) -> None:
    write("a.py", OLD)
    write("tfxla-lint.toml", 'ignore = ["TXL501"]\n')
    commit(git)
    write("tfxla-lint.toml", "")
    done = run("--diff-base", "HEAD", *LINE, ".")
    assert [line.split(": ")[1] for line in lines(done)] == ["error TXL501 unknown-symbol"]
    assert run("--diff-base", "HEAD", "--config", "tfxla-lint.toml", ".").status == 1


def test_a_baseline_and_changes_together(run: Run, git: Git) -> None:
    write("a.py", HEADER)
    commit(git)
    write("a.py", OLD)
    run("--baseline", "known.json", "--write-baseline", ".")
    both = ["--baseline", "known.json", "--diff-base", "HEAD"]
    assert run(*both, ".").status == 0
    write("a.py", OLD + "x = 3\n")
    assert len(lines(run(*both, *LINE, "."))) == 1


def test_changed_cells_of_a_notebook(run: Run, git: Git) -> None:
    old, first = cell("x = 3\n"), cell(HEADER + "sync()\n")
    Path("a.ipynb").write_bytes(notebook(first, old))
    commit(git)
    Path("a.ipynb").write_bytes(notebook(first, cell("# told\n", "markdown"), old, "y = 3\n"))
    done = run("--diff-base", "HEAD", *LINE, ".")
    assert [line.rpartition(": error")[0] for line in lines(done)] == ["a.ipynb:cell 4:1:5"]
    run("--baseline", "known.json", "--write-baseline", ".")
    Path("a.ipynb").write_bytes(notebook("z = 0\n", "y = 3\n", first, old))
    assert run("--baseline", "known.json", ".").status == 0


def test_an_unknown_revision_is_an_error(run: Run, git: Git) -> None:
    write("a.py", OLD)
    commit(git)
    done = run("--diff-base", "--nonsense", "a.py")
    assert (done.status, done.out) == (2, "")
    assert done.err == "error: git knows no revision --nonsense\n"


# Programs that a repository names

TRAP = "#!/bin/sh\necho ran >> '{marks}/{name}'\n[ {name} = monitor ] || cat\n"


@pytest.fixture
def trapped(
    run: Run, git: Git, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Arms a repository with all that git runs for others; a folder that gets a file for each."""
    if sys.platform == "win32":
        pytest.skip("the traps are scripts for a shell")
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    marks, traps = (tmp_path_factory.mktemp(name) for name in ("marks", "traps"))

    def trap(name: str, path: Path | None = None) -> str:
        path = path or traps / name
        path.write_text(TRAP.format(marks=marks, name=name))
        path.chmod(0o755)
        return str(path)

    write("a.py", OLD)
    write("b.py", OLD)
    write(".gitattributes", "*.py filter=F.x diff=d\nb.py filter=p\n")
    commit(git)
    git("init", "-q", "sub")
    git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "state")
    git("-C", "sub", "config", "core.fsmonitor", trap("submonitor"))
    git("-c", "advice.addEmbeddedRepo=false", "add", "sub")
    git("commit", "-qm", "state")
    for name, value in {
        "core.fsmonitor": trap("monitor"),
        "core.pager": trap("pager"),
        "core.sshCommand": trap("ssh"),
        "diff.d.command": trap("command"),
        "diff.d.textconv": trap("textconv"),
        "diff.external": trap("external"),
        "diff.ignoreSubmodules": "none",
        "filter.F.x.clean": trap("clean"),
        "filter.F.x.required": "true",
        "filter.F.x.smudge": trap("smudge"),
        "filter.p.process": trap("process"),
        "pager.diff": trap("pager"),
    }.items():
        git("config", name, value)
    Path(".git/hooks").mkdir(exist_ok=True)
    trap("hook", Path(".git/hooks/post-index-change"))
    write("a.py", OLD.replace("x = 3", "y = 3\nx = 3"))
    write("b.py", OLD + "z = 3\n")
    write("sub/c.txt", "")
    return marks


def test_no_program_runs_that_a_repository_names(run: Run, git: Git, trapped: Path) -> None:
    os.utime("a.py", (1, 1))
    assert lines(run("--diff-base", "HEAD", *LINE, ".")) == [
        "a.py:6:5: error TXL501 unknown-symbol: the number 3",
        "b.py:7:5: error TXL501 unknown-symbol: the number 3",
    ]
    os.utime("a.py", (2, 2))
    assert len(changed_pairs("HEAD", [])) == len(changed_pairs("HEAD", ["a.py", "b.py"])) == 2
    assert files_gone("HEAD~1", []) == []
    patch = "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    with pytest.raises(GitError, match="patch"):
        patched_pairs(patch, Path())
    assert list(trapped.iterdir()) == []
    # They would have run.
    git("diff", "HEAD")
    ran = {path.name for path in trapped.iterdir()}
    assert {"monitor", "submonitor", "clean", "process"} <= ran


def test_nothing_is_fetched_that_a_clone_lacks(run: Run, git: Git, trapped: Path) -> None:
    name = subprocess.check_output(["git", "rev-parse", "HEAD:a.py"], text=True).strip()
    Path(".git/objects", name[:2], name[2:]).unlink()
    git("config", "core.repositoryFormatVersion", "1")
    git("config", "extensions.partialClone", "origin")
    git("config", "remote.origin.url", str(Path.cwd()))
    git("config", "remote.origin.promisor", "true")
    git("config", "remote.origin.uploadpack", str(trapped / "nothing; echo ran > fetched; true"))
    assert run("--diff-base", "HEAD", ".").status == 2
    assert not Path("fetched").exists()
    subprocess.run(["git", "cat-file", "blob", name], capture_output=True, check=False)
    assert Path("fetched").exists()


def test_a_filter_that_cannot_be_switched_off(run: Run, git: Git, trapped: Path) -> None:
    git("config", "--file", ".git/config", "filter.a=b.clean", "cat")
    done = run("--diff-base", "HEAD", ".")
    assert (done.status, done.err) == (2, "error: the filter has an odd name: 'filter.a=b'\n")


def test_a_repository_that_lies_in_a_folder_is_none(
    run: Run, git: Git, trapped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("clone", "-q", "--bare", ".", "data")
    for name, value in {"core.bare": "false", "core.worktree": str(Path.cwd())}.items():
        git("-C", "data", "config", name, value)
    git("-C", "data", "config", "core.fsmonitor", str(trapped.parent / "traps0" / "monitor"))
    for mark in trapped.iterdir():
        mark.unlink()
    monkeypatch.chdir("data")
    done = run("--diff-base", "HEAD", "..")
    assert done.status == 2
    assert "bare repository" in done.err
    assert list(trapped.iterdir()) == []


def test_a_git_in_the_working_folder_is_not_run(
    run: Run, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32":
        pytest.skip("the false git is a script for a shell")
    write("a.py", OLD)
    commit(git)
    Path("git").write_text("#!/bin/sh\ntouch ran\n")
    Path("git").chmod(0o755)
    for relative in ("", "."):
        monkeypatch.setenv("PATH", os.pathsep.join([relative, os.environ["PATH"]]))
        assert run("--no-cache", "--diff-base", "HEAD", ".").status == 0
        assert not Path("ran").exists()


def test_a_git_that_never_ends_is_ended(
    run: Run, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no pipes among files")
    write("a.py", OLD)
    commit(git)
    os.mkfifo(".gitattributes")
    monkeypatch.setattr("tfxla_lint.repository.git._LONGEST", 0.5)
    done = run("--no-cache", "--diff-base", "HEAD", ".")
    assert (done.status, done.err) == (2, "error: git took longer than 0.5 s\n")


# Paths


@pytest.mark.parametrize(
    "form", ["concise", "json", "github", "gitlab", "sarif", "rdjson", "pylint"]
)
def test_paths_begin_at_the_top_of_the_repository(
    run: Run, git: Git, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    write("pkg/sub/a.py", OLD)
    above = run("--output-format", form, "--no-cache", ".")
    monkeypatch.chdir("pkg/sub")
    assert run("--output-format", form, "--no-cache", ".") == above
    assert "pkg/sub/a.py" in above.out


def test_a_prefix_stands_before_paths_from_the_working_folder(
    run: Run, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("pkg/sub/a.py", HEADER + "x = 3\n")
    monkeypatch.chdir("pkg")
    for prefix, path in {".": "sub/a.py", "mono/repo": "mono/repo/sub/a.py"}.items():
        done = run("--path-prefix", prefix, *LINE, ".")
        assert lines(done)[0].startswith(f"{path}:2:5: ")


def test_a_diff_applies_in_the_working_folder(
    run: Run, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("pkg/a.py", HEADER + "x = 1\n")
    monkeypatch.chdir("pkg")
    assert run("--diff", ".").out.startswith("--- a.py\n")


# Reports


def test_further_reports_of_one_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", OLD)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    write("summary.md", "before\n")
    arguments = ["--report", "sarif=a.sarif", "--report", "markdown=a.md"]
    assert run("--output-format", "github", *arguments, ".").status == 1
    assert json.loads(Path("a.sarif").read_text())["version"] == "2.1.0"
    assert Path("summary.md").read_text() == "before\n" + Path("a.md").read_text()


def test_files_of_another_repository_are_named(run: Run, git: Git) -> None:
    write("a.py", OLD)
    commit(git)
    Path("nested/deep").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "nested"], check=True)
    write("nested/deep/b.py", OLD)
    write("nested/c.py", OLD)
    done = run("--diff-base", "HEAD", ".")
    assert done.status == 0
    assert "nested/c.py and 1 more file not compared: this repository" in done.out

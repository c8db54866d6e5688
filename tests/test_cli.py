"""The command line: options, statuses, streams, standard input."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.fake_rules import fake_catalogue
from tests.running import Done, Run, runs
from tfxla_lint import __version__, disk
from tfxla_lint.reporters.style import Style

HEADER = "import tensorflow as tf\n"
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process, in a folder of its own, with the fake rules."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    for module in ("checking", "cli.running", "cli.rule"):
        monkeypatch.setattr(f"tfxla_lint.{module}.read_catalogue", fake_catalogue)
    return runs(capfd)


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def concise(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


# Which command


def test_version(run: Run) -> None:
    for option in ("--version", "-V"):
        assert run(option) == Done(0, f"tfxla-lint {__version__}\n", "")


def test_help_names_commands_and_sections(run: Run) -> None:
    assert "tfxla-lint --fix src/" in " ".join(run("--help").out.split())
    done = run("check", "--help-all")
    assert done.status == 0
    for heading in ("Fixing:", "Rules:", "Files:", "Settings:", "Output:"):
        assert heading in done.out


@pytest.mark.parametrize(
    "arguments",
    [[], ["check"], ["verify"], ["--fix"], ["-q", "-h"]]
    + [[name] for name in ("clean", "explain", "facts", "mcp", "profile", "rule", "server")],
    ids=" ".join,
)
def test_help_fits_a_screen_and_ends_with_examples(run: Run, arguments: list[str]) -> None:
    done = run(*arguments, "--help")
    assert done.status == 0
    assert len(done.out.splitlines()) <= 40
    *_, examples = done.out.split("\n\n")
    assert examples.startswith("Examples:\n  tfxla-lint ")
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_help_as_a_command(run: Run) -> None:
    assert run("help") == run("--help")
    assert run("help", "check").out.replace("help check", "check") == run("check", "--help").out
    assert "there is no command 'chek'; did you mean 'check'?" in run("help", "chek").err


def test_a_command_that_is_misspelt(run: Run) -> None:
    done = run("chek")
    assert done == Done(
        2, "", "Error: there is no command and no file 'chek'; did you mean `tfxla-lint check`?\n"
    )
    write("chek", HEADER + "sync()\n")
    done = run("chek")
    assert done.status == 1
    assert "'chek' is taken for a path; the command is `tfxla-lint check`" in done.err
    assert run("check", "chek").err == run("-q", "chek").err == ""
    assert "no such file" in run("nothing_like_it").err


def test_an_empty_path_is_an_error(run: Run) -> None:
    write("a.py", HEADER + "sync()\n")
    done = run("")
    assert (done.status, done.out) == (2, "")
    assert "a path is empty" in done.err


@pytest.mark.parametrize("arguments", [["a.py"], ["check", "a.py"], ["."], [], ["-q", "a.py"]])
def test_check_is_the_default(run: Run, arguments: list[str]) -> None:
    write("a.py", HEADER + "sync()\n")
    done = run(*arguments)
    assert done.status == 1
    assert done.out.startswith("a.py:2:1: warning TXL104 host-sync-in-loop: a synchronisation\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nonsense"],
        ["--output-format", "xml"],
        ["-j", "0"],
        ["-", "a.py"],
        ["--stdin-filename", "x.py", "a.py"],
        ["--add-noqa", "--fix"],
        ["--config", "x.toml", "--isolated"],
        ["--config", "missing.toml"],
        ["--tf-version", "two"],
        ["--exclude", "!"],
        ["--select", "TXL999", "a.py"],
        ["--select", ",", "a.py"],
        ["--ignore", "", "a.py"],
        ["--statistics", "--output-format", "github"],
        ["--output-file", "missing/x.txt"],
        ["rule"],
        ["rule", "TXL999"],
        ["rule", "TXL104", "--all"],
        ["--output-file", "a.py", "."],
        ["--report", "json=a.py", "."],
    ],
)
def test_wrong_usage(run: Run, arguments: list[str]) -> None:
    write("a.py", HEADER)
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert "rror" in done.err
    assert "Traceback" not in done.err


# Statuses


def test_clean(run: Run) -> None:
    write("a.py", HEADER)
    assert run("a.py") == Done(0, "No findings in 1 file.\n", "")


def test_no_files(run: Run) -> None:
    assert run() == Done(0, "No findings in 0 files.\n", "warning: no Python files found\n")


def test_a_missing_path(run: Run) -> None:
    write("a.py", HEADER + "sync()\n")
    done = run("a.py", "missing", "--output-format", "concise")
    assert done.status == 2
    assert done.err == "error: missing: no such file or folder\n"
    assert done.out.startswith("a.py:2:1: ")


def test_syntax_and_encoding_errors(run: Run) -> None:
    write("a.py", "x = = 1\n")
    Path("b.py").write_bytes(b"#\n\nx = '\xff'\n")
    write("c.py", HEADER + "sync()\n")
    done = run("--output-format", "concise", "--ignore", "ALL", ".")
    assert done.status == 1
    assert done.out.splitlines()[:2] == [
        "a.py:1:5: error TXL001 syntax-error: invalid syntax",
        "b.py:3:6: error TXL001 syntax-error: byte 0xff is not valid utf-8",
    ]
    assert "Found 2 findings." in done.out


def test_a_rule_that_crashes(run: Run) -> None:
    write("a.py", HEADER + "crash\nsync()\n")
    write("b.py", HEADER + "sync()\n")
    done = run("--output-format", "concise", ".")
    assert done.status == 2
    assert done.err == "error: a.py: the rule TXL301 failed: ValueError: no such thing\n"
    assert "a.py:3:1:" in done.out
    assert "b.py:2:1:" in done.out
    verbose = run("-v", ".")
    assert "Traceback" in verbose.err
    assert run("--exit-zero", ".").status == 2


def test_exit_zero(run: Run) -> None:
    write("a.py", HEADER + "sync()\n")
    assert run("--exit-zero", ".").status == 0
    assert run("--exit-zero", ".", "missing").status == 2


def test_a_fault_in_many_files_is_told_once(run: Run) -> None:
    for name in ("a", "b", "c"):
        write(f"{name}.py", HEADER + "crash\n")
    done = run(".")
    assert done.status == 2
    assert done.err == (
        "error: a.py: the rule TXL301 failed: ValueError: no such thing (and in 2 more files)\n"
    )


@pytest.mark.usefixtures("unreadable")
def test_an_unreadable_file(run: Run) -> None:
    write("a.py", HEADER).chmod(0)
    write("b.py", HEADER + "sync()\n")
    done = run("--output-format", "concise", ".")
    assert done.status == 2
    assert done.err == "error: a.py: cannot read it: Permission denied\n"
    assert done.out.startswith("b.py:2:1: ")


def test_wrong_settings(run: Run) -> None:
    write("a.py", HEADER)
    write("pyproject.toml", "[tool.tfxla-lint]\nslect = []\n")
    done = run("a.py")
    assert done.status == 2
    assert done.err == (
        "error: pyproject.toml:2: unknown setting 'slect' in [tool.tfxla-lint];"
        " did you mean 'select'?\n"
    )


# Selecting, settings, files


def test_selecting(run: Run) -> None:
    write("a.py", HEADER + "sync()\nx = 4\nwhile x: pass\n")

    def codes(*arguments: str) -> list[str]:
        out = run("--output-format", "json", *arguments, "a.py").out
        return [item["code"] for item in json.loads(out)["findings"]]

    assert codes() == ["TXL104", "TXL501"]
    assert codes("--select", "eager, missing-jit-compile") == ["TXL104", "TXL405"]
    assert codes("--select", "TXL1", "--select", "TXL405") == ["TXL104", "TXL405"]
    assert codes("--select", "TXL1", "--select", "TXL4") == ["TXL104"]
    assert codes("--extend-select", "TXL405", "--ignore", "TXL5") == ["TXL104", "TXL405"]
    assert codes("--ignore", "ALL") == []


def test_test_files(run: Run) -> None:
    write("tests/a.py", HEADER + "sync()\nx = 4\n")
    assert "TXL104" in run(".").out
    write("tests/a.py", HEADER + "import pytest\nsync()\nx = 4\n")
    assert "TXL104" not in run(".").out
    assert "TXL501" in run(".").out
    assert "TXL104" in run("--include-tests", ".").out


def test_each_file_has_the_settings_nearest_to_it(run: Run) -> None:
    write("a/x.py", HEADER + "sync()\nx = 4\n")
    write("b/x.py", HEADER + "sync()\nx = 4\n")
    write("a/tfxla-lint.toml", "select = ['TXL5']\n")
    write("b/tfxla-lint.toml", "per-file-ignores = { 'x.py' = ['TXL5'] }\n")
    lines = run("--output-format", "concise", ".").out.splitlines()[:-1]
    assert [line.split(" ")[:3] for line in lines] == [
        ["a/x.py:3:5:", "note", "TXL501"],
        ["b/x.py:2:1:", "warning", "TXL104"],
    ]


def test_show_files(run: Run) -> None:
    write("a.py", "")
    write("b/c.py", "")
    write("venv/d.py", "")
    assert run("--show-files") == Done(0, "a.py\nb/c.py\n", "")
    assert run("--show-files", "--extend-exclude", "b", ".", "venv").out == "a.py\nvenv/d.py\n"


def test_files_are_shown_as_no_commands_of_a_log(run: Run) -> None:
    write("::error file=a.py::mine.py", "")
    assert run("--show-files").out == "./::error file=a.py::mine.py\n"


def test_show_settings(run: Run) -> None:
    write("requirements.txt", "tensorflow>=2.12\n")
    write("tfxla-lint.toml", "\nselect = ['TXL1']\nunsafe-fixes = true\n")
    write("src/a.py", "")
    done = run("--show-settings", "--output-format", "json", "src")
    assert done.status == 0
    rows = dict(line.split("  # ") for line in done.out.splitlines() if "  # " in line)
    origins = {key.strip(): value.strip() for key, value in rows.items()}
    assert origins['select = ["TXL1"]'] == "tfxla-lint.toml:2"
    assert origins["unsafe-fixes = true"] == "tfxla-lint.toml:3"
    assert origins['tf-version = "2.12"'] == "requirements.txt:1"
    assert origins['output-format = "json"'] == "command line"
    assert origins["respect-gitignore = true"] == "default"
    assert "# rules: TXL001, TXL102, TXL104" in done.out


def test_verbose_tells_the_target(run: Run) -> None:
    write("requirements.txt", "tensorflow>=2.12\n")
    write("a.py", HEADER)
    done = run("-v", ".")
    assert done.err == (
        "no settings file: 1 file, target TensorFlow 2.12 and newer (requirements.txt:1)\n"
    )
    assert "TensorFlow 2.9 (command line)" in run("-v", "--tf-version", "2.9", ".").err


# Output


def test_the_full_report(run: Run) -> None:
    write("a.py", HEADER + "for i in x:\n    sync()\n")
    assert run("a.py").out == concise(
        "a.py:2:5: warning TXL102 eager-loop-body: a loop",
        "2 | for i in x:",
        "  |     ^",
        "note: line 2: over this",
        "note: line 3: TXL104 a synchronisation",
        "",
        "Found 1 finding.",
        "Next: `tfxla-lint rule TXL102` explains.",
    )


def test_the_verbose_report(run: Run) -> None:
    write("a.py", HEADER + "for i in x:\n    sync()\n")
    assert run("-v", "a.py").out.startswith(
        concise(
            "a.py:2:5: warning TXL102 eager-loop-body: a loop",
            "2 | for i in x:",
            "  |     ^",
            "note: a.py:2:10: over this",
            "2 | for i in x:",
            "  |          ^",
            "note: a.py:3:5: TXL104 a synchronisation",
            "3 |     sync()",
            "  |     ^^^^^^",
            "",
        )
    )


def test_the_last_line_says_what_to_do_next(run: Run) -> None:
    path = write("a.py", NUMBERS)
    assert run(".").out.endswith(
        "Next: `--fix --verify` writes what a run on TensorFlow shows to compute the same;"
        " `tfxla-lint rule TXL501` explains.\n"
    )
    done = run("--fix", "--select", "TXL501", ".")
    assert "\nNext: `tfxla-lint verify --git HEAD` runs what was written" in done.out
    assert "Next:" not in run("-q", ".").out + run("--output-format", "concise", ".").out
    assert "Next:" not in run("--statistics", ".").out
    path.write_text(HEADER)
    assert run(".").out == "No findings in 1 file.\n"


def test_on_a_terminal_the_report_is_as_wide_as_that(run: Run) -> None:
    """What `Style` makes of a width; the width itself comes from the terminal."""
    import pty

    from tfxla_lint.cli.console import style_for

    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        style = style_for(stream, "always")
    os.close(ours)
    assert style.width
    assert Style().wrapped("HEAD:", "HEAD:", "word " * 40).count("\n") == 0
    lines = replace(style, width=50).wrapped("\x1b[1mHEAD:\x1b[0m", "HEAD:", "word " * 40)
    plain = re.sub(r"\x1b\[\d*m", "", lines).split("\n")
    assert len(plain) == 5
    assert max(map(len, plain)) <= 50
    assert plain[0].startswith("HEAD: word word")
    assert plain[1].startswith("    word")


def test_settings_on_the_command_line(run: Run) -> None:
    write("a.py", HEADER + "sync()\nx = 4\n")
    write("tfxla-lint.toml", 'fail-on = "error"\n')
    words = ("--config", "output-format=concise", "--config", "ignore = ['TXL501']")
    assert "TXL104" in run(*words, ".").out
    assert "TXL501" not in run(*words, ".").out
    assert run("--config", "ignore=TXL104,TXL501", ".").out == "No findings in 1 file.\n"
    assert "TXL501" in run(*words, "--ignore", "TXL104", ".").out, (
        "an option of its own is stronger"
    )
    assert "TensorFlow 2.15" in run("-v", "--config", "tf-version=2.15", ".").err
    done = run("--config", "fial-on=note", ".")
    assert (done.status, done.out) == (2, "")
    assert done.err == "error: unknown setting 'fial-on' in --config; did you mean 'fail-on'?\n"
    assert "true or false" in run("--config", "unsafe-fixes=maybe", ".").err


@pytest.mark.parametrize("version", ["1.15", "2.99", "3.0"])
def test_a_version_that_does_not_exist_is_refused(run: Run, version: str) -> None:
    write("a.py", HEADER)
    done = run("--tf-version", version, ".")
    assert (done.status, done.out) == (2, "")
    assert f"TensorFlow {version} is not known; known are 2.0 to 2." in done.err
    assert (
        f"TensorFlow {version} is not known"
        in run("facts", "tf.where", "--tf-version", version).err
    )
    write("tfxla-lint.toml", f'tf-version = "{version}"\n')
    assert "tfxla-lint.toml:1: TensorFlow" in run(".").err


def complete(run: Run, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """What the shell is offered for the last of the words."""
    monkeypatch.setenv("_TFXLA_LINT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["tfxla-lint", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    return run().out.splitlines()


def test_completion(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"plain,check", "plain,rule"} <= set(complete(run, monkeypatch, ""))
    assert complete(run, monkeypatch, "ru") == ["plain,rule"]
    assert complete(run, monkeypatch, "a.") == ["file,a."]
    assert complete(run, monkeypatch, "--extend-s") == ["plain,--extend-select"]
    assert complete(run, monkeypatch, "a.py", "b") == ["file,b"]
    assert complete(run, monkeypatch, "rule", "txl10")[:1] == ["plain,TXL101"]
    assert complete(run, monkeypatch, "rule", "eager-l") == ["plain,eager-loop-body"]
    found = complete(run, monkeypatch, "--select", "TXL101,TXL10")
    assert "plain,TXL101,TXL102" in found


def test_completion_is_installed_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/bin/zsh")
    write(".zshrc", "first")
    for _ in range(2):
        assert run("--install-completion").status == 0
    assert "_TFXLA_LINT_COMPLETE=zsh_complete" in Path(".zfunc/_tfxla-lint").read_text()
    assert Path(".zshrc").read_text().splitlines()[0] == "first"
    assert Path(".zshrc").read_text().count("compinit; compinit") == 1
    assert run("--install-completion", "fish").status == 0
    assert Path(".config/fish/completions/tfxla-lint.fish").exists()
    monkeypatch.setenv("SHELL", "")
    assert "which shell is this?" in run("--install-completion").err


def test_files_at_the_end_are_no_options_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "--exit-zero", "--isolated"):
        (tmp_path / name).write_text("import tensorflow as tf  # noqa: TXL101\n")
    words = ["-q", "--output-format", "concise", "a.py", "--exit-zero", "--isolated"]
    assert run("check", *words).status == 0, "they are options otherwise"
    done = run("check", "--files-last", *words)
    assert done.status == 1
    files = [line.partition(":")[0] for line in done.out.splitlines()]
    assert files == ["a.py", "--exit-zero", "--isolated"]
    assert run("check", "--files-last", "--exit-zero", "a.py", "gone.py").status == 2


def test_a_file_at_the_end_is_not_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "-", "--exit-zero"):
        (tmp_path / name).write_text("import tensorflow as tf  # noqa: TXL101\n")
    words = ["check", "--files-last", "-q", "--output-format", "concise"]
    for files in (["-"], ["a.py", "-", "--exit-zero"]):
        done = run(*words, *files, stdin=b"x = = 1\n")
        assert done.status == 1
        assert [line.partition(":")[0] for line in done.out.splitlines()] == files
    (tmp_path / "-").unlink()
    assert run(*words, "-", stdin=b"x = 1\n").status == 0


def test_watching(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1  # noqa: TXL101\n")
    command = [sys.executable, "-m", "tfxla_lint", "--watch", "--output-format", "concise", "."]
    with subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        assert b"TXL002" in process.stdout.readline()
        (tmp_path / "a.py").write_text("x = 10\n")
        while b"No findings" not in (line := process.stdout.readline()):
            assert line
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130


def test_watching_sees_what_else_was_looked_at(tmp_path: Path) -> None:
    for name in ("work", "shared"):
        (tmp_path / name).mkdir()
    work, shared = tmp_path / "work", tmp_path / "shared" / "strict.toml"
    (work / "a.py").write_text("x = 1  # noqa: TXL101\n")
    (work / "b.json").write_text('{"version": 1, "findings": []}')
    (work / "tfxla-lint.toml").write_text('extend = "../shared/strict.toml"\n')
    shared.write_text("")
    (work / "rep.txt").touch()
    command = [
        sys.executable,
        "-m",
        "tfxla_lint",
        "--watch",
        "--baseline",
        "b.json",
        "-o",
        "rep.txt",
    ]
    with subprocess.Popen(
        command, cwd=work, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        stream = process.stderr
        assert stream is not None
        said: list[str] = []

        def until(ending: str) -> str:
            """What is said of the next run, whose last words these are."""
            while not (line := stream.readline().decode()).startswith(ending):
                assert line
                said.append(line)
            said.append(line)
            return (work / "rep.txt").read_text()

        assert "TXL002" in until("Watching")
        shared.write_text('ignore = ["TXL002"]\n')
        assert "TXL002" not in until("Watching")
        shared.unlink()
        until("Watching")
        assert "names no file" in said[-2]
        shared.write_text("")
        assert "TXL002" in until("Watching")
        (work / "b.json").write_text("{")
        until("Watching")
        assert "b.json" in said[-2]
        process.send_signal(signal.SIGINT)
        said.extend(line.decode() for line in stream)
        assert process.wait(10) == 130
    assert sum(line.startswith("Watching") for line in said) == 5, said


def test_watching_sees_commits_where_findings_are_told_by_one(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        named = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *named, *words], cwd=tmp_path, check=True)

    git("init", "-q")
    (tmp_path / "a.py").write_text("x = 1\n")
    git("add", ".")
    git("commit", "-q", "-m", "a")
    (tmp_path / "a.py").write_text("x = 1  # noqa: TXL101\n")
    words = ["--watch", "--output-format", "concise", "--diff-base", "HEAD", "."]
    command = [sys.executable, "-m", "tfxla_lint", *words]
    with subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"TXL002" in process.stdout.readline()
        while not process.stderr.readline().startswith(b"Watching"):
            pass
        git("commit", "-q", "-a", "-m", "b")
        while b"No findings" not in (line := process.stdout.readline()):
            assert line
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130


def test_watching_sees_what_comes_while_a_run_is_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tfxla_lint.cli import watching
    from tfxla_lint.settings.folders import Folders

    def run(folders: Folders) -> None:
        folders.listing(tmp_path)
        if (tmp_path / "new.py").exists():
            raise KeyboardInterrupt
        (tmp_path / "new.py").touch()

    monkeypatch.setattr(watching, "time", SimpleNamespace(time_ns=time.time_ns))
    with pytest.raises(KeyboardInterrupt):
        watching.watch(run, ())


def test_progress_of_a_long_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfxla_lint.cli import progress

    written = io.StringIO()
    monkeypatch.setattr(written, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", written)
    with progress.progress(False) as told:
        told(5, False)
    assert written.getvalue() == "", "a short run says nothing"
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_TICK", 0.01)
    with progress.progress(False) as told:
        told(5, False)
        told(3, True)
        time.sleep(0.1)
    assert "3 of 5 files, 0 s" in written.getvalue()
    assert written.getvalue().endswith("\r\x1b[K")


def test_quiet(run: Run) -> None:
    write("a.py", HEADER + "sync()\n")
    assert run("-q", "--output-format", "concise", ".").out.count("\n") == 1
    write("a.py", HEADER)
    assert run("-q", ".") == Done(0, "", "")


def test_the_summary_of_a_report_for_programs_goes_to_standard_error(run: Run) -> None:
    write("a.py", HEADER + "sync()\n")
    done = run("--output-format", "json", ".")
    assert json.loads(done.out)["summary"]["findings"] == 1
    assert done.err == "Found 1 finding.\n"


def test_output_file(run: Run) -> None:
    write("a.py", HEADER + "sync()\n")
    done = run("--output-format", "concise", "--output-file", "report.txt", "--color=always", ".")
    assert (done.status, done.out, done.err) == (1, "", "Found 1 finding.\n")
    assert Path("report.txt").read_text() == (
        "a.py:2:1: warning TXL104 host-sync-in-loop: a synchronisation\n"
    )


def test_statistics(run: Run) -> None:
    write("a.py", HEADER + "sync()\nsync()\nx = 4\n")
    assert run("--statistics", ".").out == concise(
        "2  TXL104  [ ] host-sync-in-loop",
        "1  TXL501  [ ] unknown-symbol",
        "Found 3 findings.",
    )


def test_colour(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", HEADER + "sync()\n")
    assert "\x1b[" not in run(".").out
    assert "\x1b[" in run("--color", "always", ".").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run(".").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run(".").out


def test_rule_pages(run: Run) -> None:
    done = run("rule", "TXL002")
    assert done.status == 0
    assert done.out.startswith("TXL002 unused-suppression\n")
    assert "## " not in done.out
    assert "Why is this bad?" in done.out
    assert run("rule", "unused-suppression") == done
    assert "did you mean 'TXL" in run("rule", "TXL004").err
    table = run("rule", "--all").out
    assert all(code in table for code in ("TXL001", "TXL104", "TXL405"))
    rules = json.loads(run("rule", "--all", "--output-format", "json").out)
    assert [item["code"] for item in rules] == sorted(fake_catalogue().codes)
    assert json.loads(run("rule", "TXL405", "--output-format", "json").out)["default"] is False


# Fixing


NUMBERS = HEADER + "x = 1\ny = 2\nz = 3\n"


def test_only_safe_fixes_are_applied(run: Run) -> None:
    path = write("a.py", NUMBERS)
    done = run("--fix", "--output-format", "concise", ".")
    assert path.read_text() == NUMBERS.replace("1", "10")
    assert done.out.splitlines() == [
        "a.py:3:5: error TXL501 unknown-symbol: the number 2",
        "a.py:4:5: error TXL501 unknown-symbol: the number 3",
        "Found 3 findings (1 fixed, 2 remaining). 1 more with --fix --unsafe-fixes, or with --fix"
        " --verify where a run proves it.",
    ]
    assert done.status == 1


def test_unsafe_fixes(run: Run) -> None:
    path = write("a.py", NUMBERS)
    done = run("--fix", "--unsafe-fixes", ".")
    assert path.read_text() == NUMBERS.replace("1", "10").replace("2", "20")
    assert "\nFound 3 findings (2 fixed, 1 remaining).\n" in done.out


def test_unsafe_fixes_alone_only_count(run: Run) -> None:
    path = write("a.py", NUMBERS)
    done = run("--unsafe-fixes", "--output-format", "concise", ".")
    assert path.read_text() == NUMBERS
    assert done.out.count("[*]") == 2
    assert done.out.endswith("Found 3 findings. 2 fixable with --fix --unsafe-fixes.\n")
    assert run("--output-format", "concise", ".").out.count("[*]") == 1


def test_the_setting_unsafe_fixes(run: Run) -> None:
    path = write("a.py", NUMBERS)
    write("tfxla-lint.toml", "unsafe-fixes = true\n")
    run("--fix", "--no-unsafe-fixes", ".")
    assert path.read_text() == NUMBERS.replace("1", "10")
    run("--fix", ".")
    assert path.read_text() == NUMBERS.replace("1", "10").replace("2", "20")


def test_statuses_after_fixing(run: Run) -> None:
    write("a.py", HEADER + "x = 1\n")
    assert run("--fix", ".").status == 0
    write("a.py", HEADER + "x = 1\n")
    assert run("--fix", "--exit-non-zero-on-fix", ".").status == 1
    assert run("--fix", "--exit-non-zero-on-fix", ".").status == 0
    write("a.py", HEADER + "x = 1\n")
    assert run("--fix", "--exit-non-zero-on-fix", "--exit-zero", ".").status == 0


def test_fixable_and_unfixable(run: Run) -> None:
    text = HEADER + "x = 1  # noqa: TXL104\n"
    path = write("a.py", text)
    run("--fix", "--unfixable", "TXL501", ".")
    assert path.read_text() == HEADER + "x = 1\n"
    write("a.py", text)
    run("--fix", "--fixable", "TXL5", ".")
    assert path.read_text() == HEADER + "x = 10  # noqa: TXL104\n"


def test_files_without_applied_fixes_are_not_touched(run: Run) -> None:
    path = write("a.py", HEADER + "x = 2\n")
    os.utime(path, (1, 1))
    run("--fix", ".")
    assert path.stat().st_mtime == 1


def test_encoding_line_ends_and_mode_survive(run: Run) -> None:
    data = b"\xef\xbb\xbfimport tensorflow as tf\r\nx = 1; y = '\xc3\xa9'\r\nz = 0"
    Path("a.py").write_bytes(data)
    Path("a.py").chmod(0o740)
    assert run("--fix", ".").status == 0
    assert Path("a.py").read_bytes() == data.replace(b"1;", b"10;")
    assert Path("a.py").stat().st_mode & 0o777 == 0o740
    data = b"# coding: latin-1\nimport tensorflow\nx = 1; y = '\xe9'\n"
    Path("a.py").write_bytes(data)
    assert run("--fix", ".").status == 0
    assert Path("a.py").read_bytes() == data.replace(b"1;", b"10;")


def test_a_link_is_followed(run: Run) -> None:
    target = write("real.txt", HEADER + "x = 1\n")
    Path("a.py").symlink_to("real.txt")
    assert run("--fix", ".").status == 0
    assert Path("a.py").is_symlink()
    assert target.read_text() == HEADER + "x = 10\n"


def test_a_link_out_of_the_folder_is_not_followed_to_be_changed(run: Run) -> None:
    """What was named is the folder: a link in it may lead to anybody's file."""
    target = write("elsewhere/real.py", HEADER + "x = 1\n")
    Path("tree").mkdir()
    Path("tree/a.py").symlink_to("../elsewhere/real.py")
    done = run("--fix", "tree")
    assert done.status == 2
    assert done.err.startswith("error: tree/a.py: it is not changed: a link leads to it")
    assert target.read_text() == HEADER + "x = 1\n"
    assert run("--fix", "tree", "elsewhere").status == 0
    assert target.read_text() == HEADER + "x = 10\n"
    target.write_text(HEADER + "x = 1\n")
    assert run("--fix", "tree/a.py").status == 0
    assert target.read_text() == HEADER + "x = 10\n"


def test_a_failed_write(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "write_atomically", fail)
    path = write("a.py", HEADER + "x = 1\n")
    done = run("--fix", ".")
    assert done.status == 2
    assert done.err == "error: a.py: cannot write it: No space left on device\n"
    assert path.read_text() == HEADER + "x = 1\n"
    assert "0 fixed, 1 remaining" in done.out


def test_diff(run: Run) -> None:
    path = write("a.py", HEADER + "x = 1\ny = 2")
    for arguments in (["--diff"], ["--fix", "--diff"]):
        done = run(*arguments, ".")
        assert done.status == 1
        assert done.out == concise(
            "--- a.py",
            "+++ a.py",
            "@@ -1,3 +1,3 @@",
            " import tensorflow as tf",
            "-x = 1",
            "+x = 10",
            " y = 2",
            "\\ No newline at end of file",
        )
        assert done.err == "Would apply 1 fix to 1 file.\n"
    assert path.read_text() == HEADER + "x = 1\ny = 2"
    done = run("--diff", "--unsafe-fixes", ".")
    assert "+y = 20\n\\ No newline at end of file\n" in done.out


def test_the_status_of_diff(run: Run) -> None:
    write("a.py", HEADER + "x = 2\n")
    assert run("--diff", ".") == Done(0, "", "No fix would be applied.\n")
    assert run("--diff", "--unsafe-fixes", "--exit-zero", ".").status == 0
    write("b.py", "x = = 1\n")
    done = run("--diff", "-q", ".")
    assert done == Done(1, "", "b.py:1:5: error TXL001 syntax-error: invalid syntax\n")


def test_add_noqa(run: Run) -> None:
    path = write("a.py", HEADER + "sync()\nx = 4  # noqa: E501\n")
    assert run("--add-noqa", ".") == Done(0, "", "Silenced 2 findings in 1 file.\n")
    assert path.read_text() == (HEADER + "sync()  # noqa: TXL104\nx = 4  # noqa: E501, TXL501\n")
    assert run(".").status == 0


# Standard input


def test_standard_input(run: Run) -> None:
    done = run("-", "--output-format", "concise", stdin=(HEADER + "sync()\n").encode())
    assert done.status == 1
    assert done.out.startswith("-:2:1: warning TXL104")


def test_standard_input_has_a_name(run: Run) -> None:
    data = (HEADER + "sync()\nx = 4\n").encode()
    done = run("-", "--stdin-filename", "src/x.py", "--output-format", "concise", stdin=data)
    assert done.out.startswith("src/x.py:2:1: ")
    test = data + b"import pytest\n"
    done = run("--stdin-filename", "src/x.py", "--output-format", "concise", stdin=test)
    assert "TXL104" not in done.out
    write("src/tfxla-lint.toml", "select = ['TXL1']\nextend-exclude = ['x.py']\n")
    done = run("-", "--stdin-filename", "src/x.py", stdin=data)
    assert "TXL501" not in done.out
    done = run("-", "--stdin-filename", "src/x.py", "--force-exclude", stdin=data)
    assert done.status == 0


def test_fixing_standard_input(run: Run) -> None:
    done = run("-", "--fix", stdin=NUMBERS.encode())
    assert done.status == 1
    assert done.out == NUMBERS.replace("1", "10")
    assert "the number 2" in done.err
    assert "1 fixed, 2 remaining" in done.err


@pytest.mark.parametrize("data", [b"x = = 1\n", b"\xff\xfe\n", b"import keras\r\nx = 0", b""])
def test_nothing_on_standard_input_is_lost(data: bytes) -> None:
    done = subprocess.run(command("-", "--fix"), input=data, capture_output=True, check=False)
    assert done.stdout == data


def test_excluded_standard_input_comes_back_unchanged(run: Run) -> None:
    arguments = ["-", "--fix", "--stdin-filename", "venv/a.py", "--force-exclude"]
    done = run(*arguments, stdin=NUMBERS.encode())
    assert (done.status, done.out) == (0, NUMBERS)


def test_the_diff_of_standard_input(run: Run) -> None:
    done = run("-", "--diff", "--stdin-filename", "a.py", stdin=NUMBERS.encode())
    assert done.status == 1
    assert done.out.startswith("--- a.py\n+++ a.py\n")


REWRITTEN = [
    ("unicode_escape", b"y = '\\x41'\nx = 1\n"),
    ("raw_unicode_escape", b"y = '\\u0041'\nx = 1\n"),
    ("iso2022_jp", b"y = '\x1b$B$\"\x1b(B\x1b$B$\"\x1b(B'\nx = 1\n"),
]


@pytest.mark.parametrize(("encoding", "code"), REWRITTEN)
@pytest.mark.parametrize("mode", ["--fix", "--diff", "--add-noqa"])
def test_an_encoding_with_several_spellings_of_a_text(
    run: Run, encoding: str, code: bytes, mode: str
) -> None:
    data = f"# coding: {encoding}\n{HEADER}".encode() + code
    Path("a.py").write_bytes(data)
    found = run("--output-format", "concise", "a.py")
    assert (found.status, found.err) == (1, "")
    done = run(mode, "--output-format", "concise", "a.py")
    assert done.status == 2
    reason = f"writing it in {encoding.replace('_', '-')} would change lines that no fix touches"
    assert done.err.replace("_", "-").startswith(f"error: a.py: it is not changed: {reason}\n")
    if mode == "--fix":
        assert done.out.startswith("a.py:4:5: error TXL501")
    assert Path("a.py").read_bytes() == data


def test_errors_cannot_speak_to_the_terminal(run: Run) -> None:
    done = run("a\n::error::\x1b[31m.py")
    assert done.err == "error: a\\n::error::\\x1b[31m.py: no such file or folder\n"


# Many files and real processes


def test_worker_processes_give_the_same(run: Run) -> None:
    for number in range(6):
        write(f"m{number}.py", HEADER + "sync()\nx = 1\n" * (number % 3))
    write("m6.py", HEADER + "crash\n")
    write("m7.py", "x = = 1\n")
    serial = run("--output-format", "json", "-j", "1", ".")
    parallel = run("--output-format", "json", "-j", "2", ".")
    assert parallel == serial
    assert run("--fix", "-j", "2", "--output-format", "json", ".").status == 2
    assert Path("m5.py").read_text() == HEADER + "sync()\nx = 10\n" * 2


def test_a_dying_worker_costs_one_file(run: Run) -> None:
    for name, word in (("a", "sync"), ("bad", "die"), ("c", "sync")):
        write(f"{name}.py", HEADER + f"{word}()\n")
    done = run("--output-format", "concise", "-j", "2", ".")
    assert done.status == 2
    assert done.err == "error: bad.py: the process that linted it died\n"
    assert [line[:4] for line in done.out.splitlines()[:2]] == ["a.py", "c.py"]


def test_without_worker_processes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        write(f"{name}.py", HEADER + "sync()\n")
    expected = run("--output-format", "json", "-j", "2", ".")
    monkeypatch.setattr(sys, "executable", "no-such-python")
    assert run("--output-format", "json", "-j", "2", ".") == expected


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tfxla_lint", *arguments]


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 0  # noqa: TXL101\n" * 3000)
    process = subprocess.Popen(
        command("a.py"), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 1


def test_text_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = '\u65e5' = 1\n", encoding="utf-8")
    done = subprocess.run(
        command("a.py"),
        cwd=tmp_path,
        capture_output=True,
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 1
    assert b"x = '\\u65e5' = 1" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("arguments", [["-j", "1"], ["-j", "2"]])
def test_an_interrupt_ends_quietly(tmp_path: Path, arguments: list[str]) -> None:
    for number in range(400):
        (tmp_path / f"m{number}.py").write_text("import tensorflow\n" + "f(x)\n" * 500)
    process = subprocess.Popen(
        command("-v", *arguments, "."),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    assert b"400 files" in process.stderr.readline()
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    # Python ends by the signal itself where an import was interrupted; shells say 130 of both.
    assert process.returncode in (130, -signal.SIGINT)
    assert out == b""
    assert err.strip() == b"tfxla-lint: interrupted"


@pytest.mark.skipif(sys.platform == "win32", reason="a working folder cannot be removed there")
@pytest.mark.parametrize("named", [None, "."])
def test_a_working_folder_that_is_gone_ends_with_status_2(
    tmp_path: Path, named: str | None
) -> None:
    (tmp_path / "gone").mkdir()
    script = 'cd gone && rmdir ../gone && exec "$0" -m tfxla_lint check "$1"'
    words = ["sh", "-c", script, sys.executable, named or str(tmp_path)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tfxla-lint: the working folder is gone: No such file or directory\n"

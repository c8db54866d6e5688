"""`check` through the cache: the same reports, for less work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import copytree

import libcst as cst
import pytest

from tests.notebooks.cases import STEP, cell, notebook
from tests.running import Run, runs
from tfxla_lint import registry, runner
from tfxla_lint.digests import digest
from tfxla_lint.semantics import parsing
from tfxla_lint.settings.layer import OUTPUT_FORMATS

PROGRAMS = Path(__file__).parents[2] / "testdata" / "programs"
FOLDER = ".tfxla_lint_cache"
NET = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD()


def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
TRAIN = """\
import tensorflow as tf

from net import step

data = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 3]), tf.zeros([64, 1]))).batch(8)
for x, y in data:
    step(x, y)
"""
FILES = {
    "pyproject.toml": "",
    "net.py": NET,
    "train.py": TRAIN,
    "quiet.py": TRAIN.replace("step(x, y)", "print(x)  # noqa: TXL101"),
    "broken.py": "import tensorflow\nx = = 1\n",
    "plain.py": "import os  # noqa: TXL101\n",
    "sub/latin.py": "# caf\xe9\nimport keras\n",
}

Linted = list[str]


@pytest.fixture
def linted(monkeypatch: pytest.MonkeyPatch) -> Linted:
    """The files that were linted rather than found in the cache, by the names shown for them."""
    names: Linted = []
    run = runner.run

    def noting(works, *arguments):  # type: ignore[no-untyped-def]
        names.extend(work.shown for work in works)
        return run(works, *arguments)

    monkeypatch.setattr(runner, "run", noting)
    return names


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process, in a small project."""
    monkeypatch.delenv("TFXLA_LINT_NO_CACHE")
    monkeypatch.delenv("TFXLA_LINT_CACHE_DIR", raising=False)
    monkeypatch.setattr(registry, "_adopted", [])
    for name, text in FILES.items():
        write(tmp_path / name, text)
    monkeypatch.chdir(tmp_path)
    return runs(capfd)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("latin-1"))


def documents(folder: Path) -> list[Path]:
    return sorted(folder.glob("??/*"))


EVERY = sorted(name for name in FILES if name.endswith(".py"))


def test_what_is_known_is_not_linted_again(run: Run, linted: Linted) -> None:
    first = run(".")
    assert sorted(linted) == EVERY
    assert "net.py:7:5: warning TXL101" in first[1]
    assert "note: train.py:6:1" in first[1]
    assert run(".") == first
    assert run("net.py", "plain.py")[0] == 1
    assert sorted(linted) == EVERY


@pytest.mark.parametrize("form", OUTPUT_FORMATS)
def test_every_reporter_says_the_same(run: Run, linted: Linted, form: str) -> None:
    for name in ("mlp_inline", "word2vec"):
        copytree(PROGRAMS / name, name)
    options = [["--output-format", form], ["--output-format", form, "--select", "ALL"]]
    if form in ("full", "json"):
        options.append(["--output-format", form, "--statistics", "-v"])
    for arguments in options:
        bare = run("--no-cache", *arguments, ".")
        cold = run(*arguments, ".")
        linted.clear()
        assert bare == cold == run(*arguments, ".")
        assert linted == []


def test_words_for_tensorflow_count_as_soon_as_another_file_uses_it(
    run: Run, linted: Linted
) -> None:
    shown = "@tf.function\ndef f(x):\n    print(x)\n    return x\n\n\nf(tf.ones([2]))\n"
    write(Path("words/net.py"), f"# As keras has it.\nfrom common import tf\n\n\n{shown}")
    found = []
    for text in ("tf = None\n", "import tensorflow as tf\n", "tf = None  # tensorflow\n"):
        write(Path("words/common.py"), text)
        bare = run("--no-cache", "--select=TXL302", "words")
        found.append("net.py" in bare[1])
        assert bare == run("--select=TXL302", "words")
    assert found == [False, True, False]


CHANGES: dict[str, tuple[str, str, set[str]]] = {
    "the file": ("plain.py", "import sys\n", {"plain.py"}),
    "a file that others know": ("quiet.py", TRAIN, {"net.py", "train.py", "quiet.py"}),
    "a file that it imports": ("net.py", NET + "\n", {"net.py", "train.py", "quiet.py"}),
    "a new file": ("new.py", "import os\n", {"new.py", "net.py", "train.py", "quiet.py"}),
    "settings": ("pyproject.toml", "[tool.tfxla-lint]\nignore = ['TXL104']\n", set(EVERY)),
    "the target": ("requirements.txt", "tensorflow==2.12\n", set(EVERY)),
    "keras 2": ("requirements.txt", "tf-keras\n", set(EVERY)),
    "settings below": (
        "sub/tfxla-lint.toml",
        "tf-version = '2.13'\n",
        {"sub/latin.py", "net.py", "train.py", "quiet.py", "broken.py"},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_result_rests_on(run: Run, linted: Linted, change: str) -> None:
    run(".")
    linted.clear()
    name, text, expected = CHANGES[change]
    write(Path(name), text)
    fresh = run(".")
    assert set(linted) == expected
    linted.clear()
    assert fresh == run("--no-cache", ".")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that LibCST parsed."""
    texts: list[str] = []
    parse = parsing.parsed

    def noting(text: str) -> cst.Module:
        texts.append(text)
        return parse(text)

    monkeypatch.setattr(parsing, "parsed", noting)
    return texts


def test_files_beside_those_that_are_linted_are_parsed_once(run: Run, parsed: list[str]) -> None:
    run("net.py")
    assert sorted(parsed) == sorted([NET, TRAIN, FILES["quiet.py"]])
    parsed.clear()
    write(Path("net.py"), NET + "\n")
    fresh = run("net.py")
    assert parsed == [NET + "\n"]
    assert "note: train.py:6:1" in fresh[1]
    assert fresh == run("--no-cache", "net.py")
    parsed.clear()
    run(".")
    assert TRAIN not in parsed


def test_what_many_files_import_is_parsed_once(run: Run, parsed: list[str]) -> None:
    helper = "def doubled(x):\n    return x + x\n"
    write(Path("helper.py"), helper)
    for i in range(3):
        write(Path(f"apart_{i}.py"), f"import tensorflow as tf\nimport helper\nprint({i})\n")
    run("--no-cache", "-j", "1", "apart_0.py", "apart_1.py", "apart_2.py")
    assert parsed.count(helper) == 1


def test_what_is_linted_anew_beside_changed_files_is_parsed_once(
    run: Run, parsed: list[str], linted: Linted
) -> None:
    run(".")
    taken = []
    for turn in range(3):
        write(Path("net.py"), f"{NET}# {turn}\n")
        linted.clear()
        parsed.clear()
        fresh = run(".")
        assert set(linted) == {"net.py", "train.py", "quiet.py"}
        taken.append(sorted(parsed))
        assert fresh == run("--no-cache", ".")
    assert taken[0] == sorted([f"{NET}# 0\n", TRAIN, FILES["quiet.py"]])
    assert taken[1:] == [[f"{NET}# 1\n"], [f"{NET}# 2\n"]]


EDITS: list[Callable[[Random, list[str]], object]] = [
    lambda draw, lines: lines.pop(draw.randrange(len(lines))),
    lambda draw, lines: lines.insert(draw.randrange(len(lines)), "# said"),
    lambda draw, lines: lines.insert(draw.randrange(len(lines)), draw.choice(lines)),
    lambda draw, lines: lines.append("step = None"),
]


@pytest.mark.parametrize("seed", range(3))
def test_a_hook_says_what_a_whole_run_says(run: Run, seed: int) -> None:
    """Files are changed at random, and some of them linted with what is known of the others."""
    draw = Random(seed)
    for _ in range(6):
        chosen = draw.sample(EVERY, 3)
        for name in chosen:
            lines = Path(name).read_text("latin-1").split("\n")
            draw.choice(EDITS)(draw, lines)
            write(Path(name), "\n".join(lines))
        options = ("-v", "--select", "ALL", "--output-format", "json", *chosen)
        assert run(*options) == run("--no-cache", *options)


def ignore(root: Path) -> None:
    write(root / ".gitignore", "quiet.py\n")


def separate(root: Path) -> None:
    write(root / "inner" / "pyproject.toml", "[tool.tfxla-lint]\n")


def turn(root: Path) -> None:
    (root / "link.py").unlink()
    (root / "link.py").symlink_to(textwrap.__file__)


def add(root: Path) -> None:
    write(root / "inner" / "deep" / "x.py", TRAIN)


@pytest.mark.parametrize("change", [ignore, separate, turn, add])
def test_which_files_a_project_has(
    run: Run, linted: Linted, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    write(Path(".git/HEAD"), "")
    write(Path("tfxla-lint.toml"), "")
    write(Path("inner/pyproject.toml"), "")
    write(Path("inner/deep/y.py"), TRAIN)
    Path("link.py").symlink_to("net.py")
    for _ in range(2):
        before = run("net.py")
    assert linted == ["net.py"]
    change(tmp_path)
    after = run("net.py")
    assert linted == ["net.py", "net.py"]
    assert after == run("--no-cache", "net.py")
    assert before[0] == after[0] == 1


@pytest.mark.parametrize(
    "options", [["--select", "TXL1"], ["--tf-version", "2.13"], ["--fixable", "TXL1"]]
)
def test_options_are_told_apart(run: Run, linted: Linted, options: list[str]) -> None:
    run(".")
    linted.clear()
    run(*options, ".")
    assert sorted(linted) == EVERY


def test_isolated_is_told_apart_where_it_matters(run: Run, linted: Linted) -> None:
    write(Path("pyproject.toml"), "[tool.tfxla-lint]\nignore = ['TXL104']\n")
    run(".")
    linted.clear()
    run("--isolated", ".")
    assert sorted(linted) == EVERY


def test_another_working_folder_shows_other_paths(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run("net.py")[1]
    monkeypatch.chdir("sub")
    bare = run("--no-cache", "../net.py")
    assert bare[1] != first
    assert run("../net.py") == bare


def test_other_files_are_shown_as_seen_from_the_working_folder(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Path("a/run.py"), TRAIN)
    write(Path("b/x.py"), "")
    for folder in ("a", "../b"):
        monkeypatch.chdir(folder)
        bare = run("--no-cache", "--output-format", "json", "../net.py")
        assert run("--output-format", "json", "../net.py") == bare
    assert "a/run.py" in bare[1]


@pytest.mark.parametrize("attribute", ["version", "path"])
def test_another_python_and_other_packages(
    run: Run, linted: Linted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, attribute: str
) -> None:
    run("plain.py")
    linted.clear()
    if attribute == "version":
        monkeypatch.setattr(sys, "version", "3.99")
    else:
        monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    run("plain.py")
    assert linted == (["plain.py"] if attribute == "version" else [])


def test_code_from_standard_input(
    run: Run, linted: Linted, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("net.py", "rb") as first, open("net.py", "rb") as second:
        for stream in (first, second):
            monkeypatch.setattr(sys, "stdin", type("In", (), {"buffer": stream}))
            assert run("-", "--stdin-filename", "net.py")[0] == 1
    assert linted == ["net.py"]


@pytest.mark.parametrize("options", [["--fix"], ["--diff"], ["--add-noqa"], ["--no-cache"]])
def test_what_writes_neither_reads_nor_keeps(run: Run, linted: Linted, options: list[str]) -> None:
    run(*options, ".")
    assert not Path(FOLDER).exists()
    run(".")
    linted.clear()
    run(*options, ".")
    assert set(linted) == set(EVERY)


def test_a_file_that_cannot_be_read_is_tried_again(run: Run, linted: Linted) -> None:
    Path("plain.py").unlink()
    os.symlink("plain.py", "plain.py")
    assert run("plain.py")[0] == 2
    Path("plain.py").unlink()
    write(Path("plain.py"), "import os\n")
    assert run("plain.py")[0] == 0


def test_what_changes_while_it_is_linted_is_not_kept(
    run: Run, linted: Linted, monkeypatch: pytest.MonkeyPatch
) -> None:
    noting = runner.run

    def changing(*arguments):  # type: ignore[no-untyped-def]
        found = noting(*arguments)
        write(Path("net.py"), NET.replace("tape.gradient", "tape.jacobian"))
        return found

    monkeypatch.setattr(runner, "run", changing)
    run("train.py")
    monkeypatch.setattr(runner, "run", noting)
    write(Path("net.py"), NET)
    linted.clear()
    run("train.py")
    assert linted == ["train.py"]


HOSTILE: list[object] = [
    {},
    [],
    None,
    7,
    {"source": True, "findings": 3},
    {"source": True, "path": "other.py"},
    {"source": False, "crashed": [["x", "y", "z"]]},
    {
        "source": True,
        "findings": [["TXL1", "x", "bad", "m", "train.py", [0, 1, 1, 1, 1, 2], [], None]],
    },
    {
        "source": True,
        "findings": [["TXL1", "x", "error", "m", "t", [0, 9**20, 1, 1, 1, 9**20], [], None]],
    },
    {"source": True, "findings": [["TXL1", "x", "error", "m", "t", [-4, 1, 1, 1, 1, 2], [], None]]},
]


@pytest.mark.parametrize("document", [*map(json.dumps, HOSTILE), "[" * 100_000, "{", ""])
def test_whatever_a_cache_holds(run: Run, document: str) -> None:
    """Each document is replaced by one that is whole and says something else."""
    first = run(".")
    folder = Path(FOLDER)
    for path in documents(folder):
        key = path.parent.name + path.name
        body = document.encode()
        path.write_bytes(digest(key.encode() + body).encode() + b"\n" + body)
    assert run(".") == first
    assert run(".") == first


@pytest.mark.parametrize("size", [0, 1, 33, 40, -1])
def test_documents_that_are_not_whole_are_mended(run: Run, linted: Linted, size: int) -> None:
    first = run(".")
    whole = {path: path.read_bytes() for path in documents(Path(FOLDER))}
    for path, data in whole.items():
        path.write_bytes(data[:size])
    linted.clear()
    assert run(".") == first
    assert sorted(linted) == EVERY
    assert {path: path.read_bytes() for path in documents(Path(FOLDER))} == whole


def test_links_and_pipes_in_a_cache(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    first = run(".")
    victim = tmp_path_factory.mktemp("victim") / "file"
    victim.write_text("keep")
    for number, path in enumerate(documents(Path(FOLDER))):
        path.unlink()
        if number % 2:
            os.mkfifo(path)
        else:
            path.symlink_to(victim)
    for name in ("swept", ".gitignore", "CACHEDIR.TAG"):
        (Path(FOLDER) / name).unlink(missing_ok=True)
        (Path(FOLDER) / name).symlink_to(victim)
    assert run(".") == first
    assert run(".") == first
    assert victim.read_text() == "keep"


def test_runs_at_the_same_time(run: Run, linted: Linted, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "tfxla_lint", "."]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate() for process in both]
    assert outputs[0] == outputs[1]
    assert run(".")[1:] == outputs[0]
    assert linted == []
    assert not list(Path(FOLDER).glob("**/.*.*"))


# Where it lies


def test_the_tree_stays_clean(run: Run) -> None:
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "add", "-A"], check=True)
    run(".")
    status = ["git", "status", "--porcelain", "--untracked-files=all", "--", FOLDER]
    assert (Path(FOLDER) / "CACHEDIR.TAG").exists()
    assert subprocess.run(status, capture_output=True, check=True).stdout == b""


def test_its_own_folder_is_not_linted(run: Run, linted: Linted) -> None:
    run(".")
    write(Path(FOLDER) / "x.py", "import tensorflow\n")
    linted.clear()
    run(".")
    assert linted == []


@pytest.mark.parametrize("way", ["option", "environment", "setting"])
def test_a_chosen_folder(run: Run, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    options: list[str] = []
    if way == "option":
        options = ["--cache-dir", "kept/here"]
    elif way == "environment":
        monkeypatch.setenv("TFXLA_LINT_CACHE_DIR", "kept/here")
    else:
        write(Path("pyproject.toml"), "[tool.tfxla-lint]\ncache-dir = 'kept/here'\n")
    run(*options, ".")
    assert not Path(FOLDER).exists()
    assert documents(Path("kept/here"))
    assert "kept/here" in run("clean", *options)[2]
    assert not Path("kept/here").exists()


@pytest.mark.parametrize("command", [(), ("clean",)])
@pytest.mark.parametrize("chosen", ["mine.txt", "", " "])
def test_a_chosen_folder_that_is_none(run: Run, command: tuple[str, ...], chosen: str) -> None:
    write(Path("mine.txt"), "x")
    status, out, error = run(*command, "--cache-dir", chosen, ".")
    assert (status, out) == (2, "")
    assert error.startswith("error: 'cache-dir'")
    write(Path("pyproject.toml"), f"[tool.tfxla-lint]\ncache-dir = '{chosen}'\n")
    status, out, error = run(*command, ".")
    assert (status, out) == (2, "")
    assert error.startswith("error: pyproject.toml:2:")
    assert Path("mine.txt").read_text() == "x"


def test_a_chosen_folder_with_other_things_in_it_keeps_them(run: Run) -> None:
    before = sorted(os.listdir())
    run("--cache-dir", ".", ".")
    assert sorted(os.listdir()) == sorted([*before, "tfxla-lint"])
    write(Path("tfxla-lint/mine.txt"), "x")
    run("clean", "--cache-dir", ".")
    assert Path("tfxla-lint/mine.txt").exists()
    assert not documents(Path("tfxla-lint"))


def test_where_the_project_cannot_be_written_to(
    run: Run,
    linted: Linted,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    run(".")
    linted.clear()
    run(".")
    assert linted == []
    assert not Path(FOLDER).exists()


def test_a_linked_folder_is_not_followed(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("home")))
    victim = tmp_path_factory.mktemp("victim")
    Path(FOLDER).symlink_to(victim)
    run(".")
    assert list(victim.iterdir()) == []


def test_each_project_has_its_own(run: Run) -> None:
    for name in ("p", "q"):
        write(Path(name, "pyproject.toml"), "")
        write(Path(name, "a.py"), NET)
    run("p", "q")
    assert documents(Path("p", FOLDER))
    assert documents(Path("q", FOLDER))
    assert not Path(FOLDER).exists()
    assert "Removed" in run("clean", "p", "q/a.py")[2]
    assert not Path("p", FOLDER).exists()
    assert not Path("q", FOLDER).exists()


# Notebooks


#: The file has more lines, and a line of it more columns, than its code has characters.
PROSE = cell("word\n" * 1000, "markdown")
TIMED = "%time" + " " * 900 + "tf.nope(1)\n"
BOOKS = {
    "book.ipynb": notebook(PROSE, "%run names.ipynb\n%run more.py\n" + TIMED, STEP + "!echo\n"),
    "names.ipynb": notebook("import tensorflow as tf\n"),
    "more.py": b"import tensorflow as tf\n",
    "loop.ipynb": notebook(TRAIN),
}


@pytest.fixture
def books(run: Run) -> Run:
    """Runs the command line in a project with notebooks."""
    for name, data in BOOKS.items():
        Path(name).write_bytes(data)
    return run


@pytest.mark.parametrize("form", OUTPUT_FORMATS)
def test_what_is_known_of_notebooks(books: Run, linted: Linted, form: str) -> None:
    for options in ([], ["-v", "--select", "ALL"], ["--clear-outputs"]):
        arguments = ["--output-format", form, *options, "."]
        bare = books("--no-cache", *arguments)
        assert bare == books(*arguments)
        linted.clear()
        assert bare == books(*arguments)
        assert linted == []


def test_an_edit_clears_outputs_only_where_that_is_asked_for(books: Run) -> None:
    document = json.loads(BOOKS["book.ipynb"])
    document["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1"]}]
    Path("book.ipynb").write_text(json.dumps(document, indent=1))
    arguments = ["--output-format", "sarif", "book.ipynb"]
    plain = books(*arguments)
    clearing = books(*arguments, "--clear-outputs")
    assert plain != clearing
    assert clearing == books("--no-cache", *arguments, "--clear-outputs")
    assert plain == books(*arguments)


def again(change: dict[str, bytes], run: Run, linted: Linted, *arguments: str) -> set[str]:
    """What is linted again once some files have changed; it is seen to that this is enough."""
    run(*arguments)
    for name, data in change.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)
    linted.clear()
    fresh = run(*arguments)
    found = set(linted)
    assert fresh == run("--no-cache", *arguments)
    return found


@pytest.mark.parametrize(
    "change",
    [
        {"names.ipynb": notebook("import tensorflow.compat.v1 as tf\n")},
        {"more.py": b"import tensorflow.compat.v1 as tf\n"},
        {"book.ipynb": notebook("%tensorflow_version 1.x\n", STEP)},
        {"new.py": b"import tensorflow as tf\ntf.square = None\n"},
    ],
    ids=["a notebook that it runs", "a script that it runs", "its version", "an assigned name"],
)
def test_what_a_notebook_rests_on(books: Run, linted: Linted, change: dict[str, bytes]) -> None:
    assert again(change, books, linted, "book.ipynb") == {"book.ipynb"}


def test_a_name_of_tensorflow_that_any_file_assigns_counts(run: Run, linted: Linted) -> None:
    text = b"import tensorflow\ntf = tensorflow\ntf.square"
    before, after = {"other.py": text + b" == None\n"}, {"other.py": text + b" = None\n"}
    again(before, run, linted, "net.py", "sub/latin.py", "plain.py")
    files = again(after, run, linted, "net.py", "sub/latin.py", "plain.py")
    assert files == {"net.py", "sub/latin.py"}


def test_notebooks_that_are_left_out_say_nothing_of_other_files(books: Run, linted: Linted) -> None:
    for name in ("train.py", "quiet.py"):
        Path(name).unlink()
    write(Path("own.toml"), "include-notebooks = true\n")
    arguments = ["--config", "own.toml", "net.py"]
    assert "loop.ipynb:cell 1:6:1" in books(*arguments)[1]
    assert again({"own.toml": b"include-notebooks = false\n"}, books, linted, *arguments) == {
        "net.py"
    }
    assert "loop.ipynb" not in books(*arguments)[1]


REQUIRED: dict[str, tuple[str, str]] = {
    "a line": ("requirements.txt", "tensorflow==2.12\n"),
    "a file that is included": ("deps/base.pip", "tensorflow==2.12\n"),
    "one that this includes": ("limits.pip", "tensorflow==2.12\n"),
    "an image": ("docker/Dockerfile.gpu", "FROM tensorflow/tensorflow:2.12.0-gpu\n"),
    "an environment": ("environment.yml", "dependencies:\n  - tensorflow=2.12\n"),
    "a formatted requirement": ("setup.py", "TF = '2.12'\nx = f'tensorflow=={TF}'  # \xe9\n"),
}


@pytest.mark.parametrize("place", REQUIRED)
def test_wherever_a_version_is_required(run: Run, linted: Linted, place: str) -> None:
    write(Path("requirements.txt"), "-r deps/base.pip\n")
    write(Path("deps/base.pip"), "-c ../limits.pip\n")
    write(Path("setup.py"), "")
    name, text = REQUIRED[place]
    assert "net.py" in again({name: text.encode("latin-1")}, run, linted, "net.py", "-v")
    assert "target TensorFlow 2.12" in run("net.py", "-v")[2]


def test_an_edit_that_a_notebook_cannot_take(books: Run) -> None:
    arguments = ["--output-format", "sarif", "book.ipynb"]
    first = books(*arguments)
    hostile = 0
    for path in documents(Path(FOLDER)):
        document = json.loads(path.read_bytes().partition(b"\n")[2])
        if isinstance(document, dict) and document.get("findings"):
            fix = document["findings"][-1][7]
            last = max(edit[1] for edit in fix[1])
            fix[1] = [[0, last, ""]]
            body = json.dumps(document).encode()
            key = path.parent.name + path.name
            path.write_bytes(digest(key.encode() + body).encode() + b"\n" + body)
            hostile += 1
    assert hostile == 1
    assert books(*arguments) == first

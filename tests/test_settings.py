"""Settings files, their errors, and what holds for a file."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from tests.fake_rules import fake_catalogue
from tfxla_lint.planning import Planner
from tfxla_lint.registry import read_catalogue
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.globs import Globs
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.resolver import SettingsResolver
from tfxla_lint.settings.specifiers import lowest
from tfxla_lint.settings.strings import strings_of
from tfxla_lint.settings.target import find_target, requires_tf_keras
from tfxla_lint.settings.toml import locate


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def settings_for(folder: Path, **command_line: object) -> Settings:
    return SettingsResolver(Layer(folder, **command_line)).for_folder(folder)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# Which file holds


def test_the_nearest_file_holds(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", "[tool.tfxla-lint]\nselect = ['TXL1']\nunsafe-fixes = true\n")
    write(tmp_path, "a/tfxla-lint.toml", "select = ['TXL5']\n")
    (tmp_path / "a" / "b").mkdir()
    resolver = SettingsResolver(Layer(tmp_path))
    assert resolver.for_folder(tmp_path).unsafe_fixes
    nearest = resolver.for_folder(tmp_path / "a" / "b")
    assert nearest.layers[0].select == ("TXL5",)
    assert not nearest.unsafe_fixes
    assert nearest.root == tmp_path / "a"


def test_a_pyproject_without_our_table_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "tfxla-lint.toml", "unsafe-fixes = true\n")
    write(tmp_path, "a/pyproject.toml", "[tool.black]\n# not tfxla-lint\n")
    assert settings_for(tmp_path / "a").unsafe_fixes


def test_a_broken_pyproject_matters_only_where_it_names_us(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", "[broken\n")
    assert settings_for(tmp_path).file is None
    write(tmp_path, "pyproject.toml", "[tool.tfxla-lint]\nselect = [\n\n[other]\n")
    with pytest.raises(SettingsError, match=r"pyproject\.toml:4: invalid TOML"):
        settings_for(tmp_path)


def test_our_own_file_goes_before_pyproject(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", "[tool.tfxla-lint]\nunsafe-fixes = true\n")
    write(tmp_path, "tfxla-lint.toml", "")
    assert not settings_for(tmp_path).unsafe_fixes


def test_extend(tmp_path: Path) -> None:
    write(
        tmp_path,
        "base.toml",
        "select = ['TXL1']\nextend-exclude = ['x']\nunsafe-fixes = true\ntf-version = '2.9'\n",
    )
    write(
        tmp_path,
        "a/tfxla-lint.toml",
        "extend = '../base.toml'\nignore = ['TXL104']\nextend-exclude = ['/y']\ntf-version = '2.12'\n",
    )
    settings = settings_for(tmp_path / "a")
    assert settings.unsafe_fixes
    assert settings.target.version == "2.12"
    selected, _ = Planner(fake_catalogue()).selected(settings)
    assert selected == {"TXL001", "TXL102"}
    assert [globs.base for globs in settings.exclude[1:]] == [tmp_path, tmp_path / "a"]


def test_the_command_line_beats_files(tmp_path: Path) -> None:
    write(
        tmp_path, "tfxla-lint.toml", "select = ['TXL1']\nignore = ['TXL104']\nunsafe-fixes = true\n"
    )
    settings = settings_for(tmp_path, select=("TXL104",), unsafe_fixes=False)
    assert not settings.unsafe_fixes
    selected, _ = Planner(fake_catalogue()).selected(settings)
    assert selected == {"TXL001", "TXL104"}


def test_config_and_isolated(tmp_path: Path) -> None:
    write(tmp_path, "tfxla-lint.toml", "unsafe-fixes = true\n")
    other = write(tmp_path, "other.toml", "output-format = 'json'\n")
    chosen = SettingsResolver(Layer(tmp_path), config=other).for_folder(tmp_path)
    assert (chosen.output_format, chosen.unsafe_fixes) == ("json", False)
    alone = SettingsResolver(Layer(tmp_path), isolated=True).for_folder(tmp_path)
    assert (alone.file, alone.unsafe_fixes) == (None, False)


@pytest.mark.parametrize("marker", [".git/HEAD", "pyproject.toml", "setup.py", "requirements.txt"])
def test_the_root_without_settings_is_that_of_the_project(tmp_path: Path, marker: str) -> None:
    write(tmp_path, f"a/{marker}", "")
    (tmp_path / "a" / "b").mkdir()
    assert SettingsResolver(Layer(tmp_path)).for_folder(tmp_path / "a" / "b").root == tmp_path / "a"


@pytest.mark.parametrize(
    ("names", "root"),
    [
        (["p/a/x.py"], "p/a"),
        (["p/a/x.py", "p/train.py"], "p"),
        (["p/a/x.py", "p/README.md"], "p"),
        (["p/a/x.py", "p/a/__init__.py"], "p"),
        (["p/src/a/x.py", "p/src/y.py"], "p"),
        (["p/models/a/x.py", "p/train.py"], "p"),
        (["p/one/two/a/x.py", "p/train.py"], "p/one/two/a"),
        (["p/a/x.py", "p/requirements.txt", "train.py"], "p"),
        (["p/a/x.py", "p/requirements.txt", "setup.py"], ""),
        (["p/venv/x.py"], "p"),
    ],
)
def test_the_root_without_a_marker_rests_on_what_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], root: str
) -> None:
    for name in names:
        write(tmp_path, name, "")
    folder = (tmp_path / names[0]).parent
    for here in (Path("/"), tmp_path, folder):
        monkeypatch.chdir(here)
        assert SettingsResolver(Layer(here)).for_folder(folder).root == tmp_path / root


# Errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nslect = []\n", ":2: unknown setting 'slect' in this file; did you mean 'select'?"),
        ("per_file_ignores = {}\n", ":1: unknown setting .* 'per-file-ignores'"),
        (
            "zzz = 1\n",
            ":1: unknown setting 'zzz' in this file; valid are baseline, cache-dir, clear-outputs, ",
        ),
        ("select = 'TXL1'\n", r":1: 'select' must be a list of strings \(write \[\"TXL1\"\]\)"),
        ("ignore = [1]\n", ":1: 'ignore' must be a list of strings"),
        ("unsafe-fixes = 'no'\n", ":1: 'unsafe-fixes' must be true or false, not a string"),
        ("tf-version = 2.10\n", ":1: 'tf-version' must be a string: .* 2.10 as 2.1"),
        ("tf-version = 'latest'\n", ":1: 'tf-version' must be a version such as \"2.15\""),
        ("output-format = 'ful'\n", ":1: unknown output format 'ful'; did you mean 'full'?"),
        ("exclude = [\n  'a',\n  '!',\n]\n", ":3: '!' is no glob"),
        ("[per-file-ignores]\n'a' = []\n'b' = 'TXL1'\n", ":3: .* list of rules for the glob 'b'"),
        ("per-file-ignores = []\n", ":1: 'per-file-ignores' must be a table of globs"),
        (f"tf-version = '2.{'9' * 5000}'\n", ":1: 'tf-version' must be a version such as"),
        ("extend = 'nowhere.toml'\n", ":1: 'extend' names no file: 'nowhere.toml'"),
        ("extend = 'tfxla-lint.toml'\n", ":1: 'extend' goes round in a circle"),
        ("select = [\n", ":2: invalid TOML"),
        ("select = " + "[" * 9000 + "]" * 9000, ": invalid TOML: its values are nested too deeply"),
        (".".join("a" * 30_000) + " = 1", ": invalid TOML: a key has too many parts"),
        (f"a = {{{'.'.join('b' * 30_000)} = 1}}", ": invalid TOML: a key has too many parts"),
        ("select = " + "{a = " * 9000, ": invalid TOML: its values are nested too deeply"),
    ],
)
def test_errors_name_file_line_and_cure(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, "tfxla-lint.toml", text)
    with pytest.raises(SettingsError, match=f"^tfxla-lint.toml{message}"):
        settings_for(tmp_path)


def test_a_chain_of_files_without_end(tmp_path: Path) -> None:
    for number in range(60):
        write(tmp_path, f"c{number}.toml", f"extend = 'c{number + 1}.toml'\n")
    write(tmp_path, "tfxla-lint.toml", "extend = 'c0.toml'\n")
    with pytest.raises(SettingsError, match=r"^c29.toml:1: more than 30 files extend each other"):
        settings_for(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select = ['TXL1',\n  'TXL999']\n", ":3: unknown rule 'TXL999' in 'select'"),
        (
            "unfixable = ['egaer']\n",
            ":2: unknown rule 'egaer' in 'unfixable'; did you mean 'eager'?",
        ),
        ("per-file-ignores = { 'a' = ['x'] }\n", ":2: unknown rule 'x' in 'per-file-ignores'"),
    ],
)
def test_unknown_selectors(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, "pyproject.toml", f"[tool.tfxla-lint]\n{text}")
    with pytest.raises(SettingsError, match=f"^pyproject.toml{message}"):
        Planner(fake_catalogue()).selected(settings_for(tmp_path))


def test_an_unknown_selector_on_the_command_line(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, extend_select=("TXL999",))
    with pytest.raises(SettingsError, match=r"^unknown rule 'TXL999' in --extend-select"):
        Planner(fake_catalogue()).selected(settings)


def test_extend_errors_point_into_the_extended_file(tmp_path: Path) -> None:
    write(tmp_path, "base.toml", "\n\nselct = []\n")
    write(tmp_path, "tfxla-lint.toml", "extend = 'base.toml'\n")
    with pytest.raises(SettingsError, match=r"^base.toml:3: unknown setting"):
        settings_for(tmp_path)


LOCATED = """\
top = "x" # [tool.a]
[tool.a]
one = ['p', "q",
  "r"]  # r
two.three = \"\"\"
one = 5
\"\"\"
[tool."b c"]
x = { y = 1, z = "w" }
"""


@pytest.mark.parametrize(
    ("keys", "item", "line"),
    [
        (["top"], None, 1),
        (["tool", "a"], None, 2),
        (["tool", "a", "one"], None, 3),
        (["tool", "a", "one"], "q", 3),
        (["tool", "a", "one"], "r", 4),
        (["tool", "a", "two", "three"], None, 5),
        (["tool", "b c", "x"], None, 9),
        (["tool", "b c", "x", "z"], None, 9),
        (["nothing"], None, 0),
    ],
)
def test_lines_of_keys(keys: list[str], item: str | None, line: int) -> None:
    assert locate(LOCATED, keys, item) == line


# What holds for a file


def test_per_file_ignores(tmp_path: Path) -> None:
    write(
        tmp_path,
        "tfxla-lint.toml",
        "[per-file-ignores]\n'examples/' = ['TXL1']\n'*.gen.py' = ['xla']\n'!src/**' = ['TXL5']\n",
    )
    settings = settings_for(tmp_path)
    assert settings.ignored_in(tmp_path / "src" / "a.py") == ()
    assert settings.ignored_in(tmp_path / "src" / "a.gen.py") == ("xla",)
    assert settings.ignored_in(tmp_path / "examples" / "b" / "a.py") == ("TXL1", "TXL5")


CASE = "class Case(tf.test.TestCase):\n    pass\n"
FUNCTION = "def test_a():\n    pass\n"
METHOD = "class TestA:\n    x = 1\n\n    def test_a(self):\n        pass\n"
DERIVED = METHOD.replace("TestA", "TestB(base.TestA)")
MODEL = "class TestNet(tf.keras.Model):\n    def test_step(self, data):\n        pass\n"


@pytest.mark.parametrize(
    ("path", "text", "is_test"),
    [
        ("a.py", CASE, True),
        ("a.py", "class Case(\n    Mixin,\n    parameterized.TestCase,\n):\n    pass\n", True),
        ("a.py", METHOD, True),
        ("a.py", MODEL, False),
        ("test_a.py", MODEL, False),
        ("test_b.py", DERIVED, True),
        ("b.py", DERIVED, False),
        ("a.py", "import pytest\n", True),
        ("a.py", FUNCTION, False),
        ("test_a.py", FUNCTION, True),
        ("b/a_test.py", "async " + FUNCTION, True),
        ("latest_a.py", FUNCTION, False),
        ("test_a.py", "print('tests')\n", False),
        ("tests/train.py", "def train():\n    pass\n", False),
        ("tests/cases.py", CASE, True),
        ("b/conftest.py", "", True),
        ("notebook.ipynb", CASE, False),
    ],
)
def test_a_test_file_is_one_that_holds_tests(
    tmp_path: Path, path: str, text: str, is_test: bool
) -> None:
    write(tmp_path, path, text)
    assert settings_for(tmp_path).is_test(tmp_path / path) is is_test
    assert settings_for(tmp_path).is_test(tmp_path / "other" / path, text.encode()) is is_test


def test_listed_test_files_are_tests_whatever_they_hold(tmp_path: Path) -> None:
    write(tmp_path, "a.py", CASE)
    listed = settings_for(tmp_path, test_files=("tests/",))
    assert not listed.is_test(tmp_path / "a.py")
    assert listed.is_test(tmp_path / "tests" / "train.py")


def test_families_that_are_silent_in_tests(tmp_path: Path) -> None:
    planner = Planner(fake_catalogue())
    settings = settings_for(tmp_path)
    write(tmp_path, "test_a.py", FUNCTION)
    enabled = planner.options(tmp_path / "test_a.py", settings).enabled
    assert enabled == {"TXL001", "TXL002", "TXL003", "TXL301", "TXL501"}
    everywhere = settings_for(tmp_path, include_tests=True)
    assert "TXL104" in planner.options(tmp_path / "test_a.py", everywhere).enabled
    listed = settings_for(tmp_path, test_files=("check_*.py",))
    assert "TXL104" in planner.options(tmp_path / "test_a.py", listed).enabled
    assert "TXL104" not in planner.options(tmp_path / "check_a.py", listed).enabled


def test_txl001_is_always_on(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, select=("TXL1",), ignore=("ALL",))
    options = Planner(fake_catalogue()).options(tmp_path / "a.py", settings)
    assert options.enabled == {"TXL001", "TXL102", "TXL104"}


def test_the_example_of_the_readme_turns_no_opt_in_rule_on(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    write(tmp_path, "pyproject.toml", readme.split("```toml\n")[1].split("```")[0])
    own = read_catalogue()
    selected, _ = Planner(own).selected(settings_for(tmp_path))
    assert {"TXL001", "TXL102"} < selected <= own.defaults


def test_fixable(tmp_path: Path) -> None:
    planner = Planner(fake_catalogue())
    only = settings_for(tmp_path, fixable=("TXL5",))
    assert planner.selected(only)[1] == {"TXL501"}
    without = settings_for(tmp_path, unfixable=("TXL5",))
    assert planner.selected(without)[1] == planner.catalogue.codes - {"TXL501"}


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("build", "build/a.py", True),
        ("build", "x/build/a.py", True),
        ("build/", "build", False),
        ("/build", "x/build/a.py", False),
        ("a/b", "a/b/c.py", True),
        ("a/b", "x/a/b/c.py", False),
        ("a/**/c.py", "a/x/y/c.py", True),
        ("*.gen.py", "x/a.gen.py", True),
        ("[!a].py", "b.py", True),
        ("[!a].py", "a.py", False),
    ],
)
def test_globs(tmp_path: Path, pattern: str, path: str, matches: bool) -> None:
    assert Globs(tmp_path, [pattern]).matches(tmp_path / path) is matches
    both = Globs(tmp_path, [pattern, "z/z"])
    assert both.matches(tmp_path / path) is matches
    assert not both.matches(tmp_path.parent / "other" / path)


# tf-version


@pytest.mark.parametrize(
    ("spec", "version"),
    [
        (">=2.10,<3", (2, 10)),
        ("==2.15.*", (2, 15)),
        ("~=2.12.0", (2, 12)),
        (">2.9", (2, 9)),
        ("<2.16", (2, 15)),
        ("<=2.15", (2, 15)),
        ("<2.16.1", (2, 16)),
        ("<3", None),
        ("!=2.5", None),
        ("", None),
        ("*", None),
        ("^2.4", (2, 4)),
        (">=2.4 <2.5 || >=2.6", (2, 4)),
        (">=2.4,<2.14", (2, 4)),
        ("~2.4", (2, 4)),
        ("==1.15", (1, 15)),
        ("^1.14 || ^2.3", (2, 3)),
        ("<2", (1, 15)),
        (">=99999999999999999999999", None),
        ("~=123456.1", None),
        (">=2.99999999999", None),
        ("<2.99999999999", None),
        (">=2.4,<2.99999999999", (2, 4)),
    ],
)
def test_the_lowest_version_of_a_specifier(spec: str, version: tuple[int, int] | None) -> None:
    assert lowest(spec) == version


TARGETS = {
    "pyproject.toml": '[project]\ndependencies = [\n  "numpy",\n  "tensorflow[and-cuda] >= 2.11 ; python_version > \'3.8\'",\n]\n',
    "requirements.txt": "numpy\n# tensorflow==2.1\ntensorflow-cpu ~= 2.11.0  # pinned\n\n",
    "requirements-dev.txt": "\n\ntensorflow-gpu==2.11.1\n",
    "requirements/base.txt": "\n\ntensorflow>=2.11\n",
    "setup.py": "from setuptools import setup\n\nsetup(install_requires=['tensorflow-gpu==2.11.1', 'tensorflow-hub'])\n",
    "poetry.lock": '\n[[package]]\nname = "tensorflow"\nversion = "2.11.0"\n',
    "uv.lock": '\n[[package]]\nname = "tensorflow-cpu"\nversion = "2.11.0"\n',
    "setup.cfg": "[options]\ninstall_requires =\n    tensorflow>=2.11,<2.14\n    numpy\n",
    "environment.yml": "dependencies:\n  - python=3.9\n  - conda-forge::tensorflow-gpu=2.11.1=gpu_py39\n",
    "conda-cpu.yml": "dependencies:\n  - pip:\n    - tensorflow==2.11.*  # why\n",
    "Pipfile": '[packages]\nnumpy = "*"\ntensorflow = ">=2.11, <2.13"\n',
    "constraints.txt": "\n\ntensorflow<2.12\n",
    "requirements.in": "\n-c other.txt\ntensorflow>=2.11 --hash=sha256:0\n",
    "Dockerfile": 'FROM python\nARG TF="2.11"\nRUN pip install --no-cache "tensorflow-cpu==${TF}.*" && ls\n',
    "docker/Dockerfile.gpu": "# tensorflow==2.1\n\nFROM tensorflow/tensorflow:2.11.0-gpu\n",
    "pdm.lock": '\n[[package]]\nname = "tensorflow"\nversion = "2.11.0"\n',
    "env.yml": "dependencies:\n  - python=3.9\n  - tensorflow=2.11.0\n",
    "tf2.yaml": "dependencies:\n  - pip:\n    - tensorflow==2.11.0\n",
    "envs/environment.yml": "dependencies:\n  - python=3.9\n  - tensorflow=2.11.0\n",
    "requirements.lock": "\n# tensorflow==2.1\ntensorflow==2.11.0\n",
    "pip_requirements.txt": "numpy\n\ntensorflow==2.11.0\n",
    "deps/requirements.txt": "numpy\n\ntensorflow==2.11.0\n",
    "tox.ini": "[testenv]\ndeps =\n    py39: tensorflow==2.11.*\n",
    "deploy/Dockerfile": "FROM python\n\nRUN pip install tensorflow==2.11.0\n",
    ".devcontainer/Dockerfile": "\n\nFROM tensorflow/tensorflow:2.11.0\n",
    "pixi.toml": '[project]\n[dependencies]\ntensorflow = "2.11.*"\n',
    "Pipfile.lock": '{\n\n  "tensorflow": {"hashes": ["a"],\n "version": "==2.11.0"}}',
}


@pytest.mark.parametrize(("name", "text"), TARGETS.items())
def test_where_the_version_is_found(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path, name, text)
    target = find_target(tmp_path)
    assert target.version == "2.11"
    line = 4 if name == "pyproject.toml" else 3
    assert target.origin == f"{name}:{line}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("notes.txt", "tensorflow\nTensorFlow 2.4 is what we had\n"),
        ("labels.txt", "tensorflow==2.4.1\n" + "x\n" * 40_000),
        ("ci.yml", "steps:\n  - run: echo tensorflow\n  - tensorflow\n"),
        ("mypy.ini", "[mypy-tensorflow.*]\nignore_missing_imports = True\n"),
        ("tools.toml", '[names]\ntensorflow = "the framework"\n'),
        ("data/requirements.txt", "tensorflow==2.4.1\n"),
    ],
)
def test_what_says_no_version(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path, name, text)
    target = find_target(tmp_path)
    assert (target.version, target.is_open) == (None, False)


@pytest.mark.parametrize(
    "text",
    [
        "setup(install_requires=['tensorflow>=2.11,<2.14'])\n",
        "LOW = '2.11'\nsetup(install_requires=['tensorflow>=%s,<%s' % (LOW, '2.14')])\n",
        "TF = '2.11'\nsetup(extras_require={'tf': [f'tensorflow=={TF}.*']})\n",
        "TF = '2.11'\nsetup(install_requires=['tensorflow<=' + TF])\n",
        "TF = {}\nsetup(install_requires=['tensorflow~={0}.{minor}'.format(2, minor=11)])\n",
        'NEED = """\ntensorflow>=2.11,<3\nnumpy\n"""\nsetup(install_requires=NEED.split())\n',
    ],
)
def test_formatted_requirements_of_setup(tmp_path: Path, text: str) -> None:
    write(tmp_path, "setup.py", text)
    assert find_target(tmp_path).version == "2.11"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("intel-tensorflow==2.4.0", "2.4"),
        ("intel_tensorflow~=2.4.0", "2.4"),
        ("tensorflow @ https://host.example/a/tensorflow-2.4.1-cp38-cp38-linux_x86_64.whl", "2.4"),
        ("https://host.example/cpu/tensorflow_cpu-2.4.1-cp38-none-any.whl", "2.4"),
        ("./wheels/tensorflow-2.4.1-cp38-none-any.whl  # ours", "2.4"),
        ("tensorflow\nkeras==2.4.3", "2.4"),
        ("tensorflow\nkeras<2.5", "2.4"),
        ("tensorflow==2.6\nkeras==2.4.3", "2.6"),
        ("tensorflow\nkeras==3.0.1", None),
        ("tensorflow\nkeras>=2.4", None),
        ("https://host.example/cpu/tensorflow_hub-0.12.0-py2.py3-none-any.whl", None),
    ],
)
def test_what_else_says_which_tensorflow(tmp_path: Path, text: str, version: str | None) -> None:
    write(tmp_path, "requirements.txt", text + "\n")
    assert find_target(tmp_path).version == version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("tensorflow\ntensorflow_addons>=0.16\n", "2.15"),
        ("tensorflow_addons>=0.16,<0.22\n", "2.6"),
        ("tensorflow\ntensorflow-addons==0.12.1\n", "2.2"),
        ("tensorflow==2.6\ntensorflow-addons==0.12.1\n", "2.6"),
        ("tensorflow>=2.4\ntensorflow-addons\n", "2.4"),
        ("tensorflow==2.6\ntensorflow-addons\n", "2.6"),
    ],
)
def test_addons_end_with_keras_2(tmp_path: Path, text: str, version: str) -> None:
    write(tmp_path, "requirements.txt", text)
    target = find_target(tmp_path)
    assert (target.version, target.is_open) == (version, False)
    lines = text.split()
    write(tmp_path, "requirements.txt", "")
    write(tmp_path, "setup.py", f"setup(extras_require={{'all': {lines}}})\n")
    assert not find_target(tmp_path).is_open


@pytest.mark.parametrize(
    ("modern", "version"),
    [("tensorflow>=2.4", None), ("tensorflow>=2.4,<2.9", "2.4"), ("tensorflow-hub>=2", "1.15")],
)
def test_extras_for_two_tensorflows_are_a_choice(
    tmp_path: Path, modern: str, version: str | None
) -> None:
    extras = {"tf1": ["tensorflow>=1.15,<2"], "tf2": [modern]}
    write(tmp_path, "setup.py", f"setup(extras_require={extras})\n")
    assert find_target(tmp_path).version == version


@pytest.mark.parametrize(
    "text",
    [
        "setup(install_requires=['tensorflow==' + read('version.txt')])\n",
        "TF = '2.3'\nTF = '2.4'\nsetup(install_requires=['tensorflow==' + TF])\n",
        "for TF in versions: setup(install_requires=[f'tensorflow=={TF}'])\n",
        "print 'tensorflow==2.4'\n",
    ],
)
def test_what_setup_computes_is_not_guessed(tmp_path: Path, text: str) -> None:
    write(tmp_path, "setup.py", text)
    assert find_target(tmp_path).version is None


@pytest.mark.parametrize(
    "text",
    [
        "TF = 'tensorflow==%0999999999d' % 2\n",
        "TF = 'tensorflow==%(a(b))0999999999d' % 2\n",
        "TF = 'tensorflow==%*d' % (999999999, 2)\n",
        "TF = 'tensorflow==%.999999999f' % 2.1\n",
        "TF = 'tensorflow=={:>999999999}'.format(2)\n",
        "TF = 'tensorflow=={:>{}}'.format(2, 999999999)\n",
        "TF = f'tensorflow=={2:>999999999}'\n",
        "TF = 'tensorflow==' + '2' * 999999999\n",
        "t0 = '2' + '2'\n" + "".join(f"t{i + 1} = t{i} + t{i}\n" for i in range(40)),
        "t0 = ('2', '2')\n"
        + "".join(f"t{i + 1} = (t{i}, t{i})\n" for i in range(40))
        + "TF = 'tensorflow==%s' % (t40,)\n",
        f"TF = f'tensorflow=={{0x{'f' * 20_000}}}'\n",
    ],
)
def test_what_would_grow_without_end_is_not_put_together(text: str) -> None:
    tracemalloc.start()
    try:
        found = list(strings_of(text))
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert all(len(string) <= 4_000 for _, string in found)


def test_included_requirements(tmp_path: Path) -> None:
    write(tmp_path, "requirements.txt", "-r deps/base.txt\n-r missing.txt\n")
    write(tmp_path, "deps/base.txt", "numpy\n-c limits.txt\n-r ../requirements.txt\n")
    write(tmp_path, "deps/limits.txt", "tensorflow<=2.11\n")
    target = find_target(tmp_path)
    assert (target.version, target.origin) == ("2.11", "deps/limits.txt:1")


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("tensorflow==1.15", "1.15"),
        ("tensorflow-gpu>=1.4,<2", "1.4"),
        ("tensorflow<2.0", "1.15"),
        ("tensorflow>=1.15", "2.0"),
        ("tensorflow>=1.15,<2.4", "2.0"),
        ("tensorflow==2.0.0b1", "2.0"),
    ],
)
def test_a_pin_of_tensorflow_1_is_not_one_of_2(tmp_path: Path, text: str, version: str) -> None:
    write(tmp_path, "requirements.txt", text + "\n")
    assert find_target(tmp_path).version == version


@pytest.mark.parametrize(
    "text",
    [
        '[project.optional-dependencies]\ntf = ["tensorflow>=2.11"]\n',
        '[dependency-groups]\ndev = ["pytest", {include-group = "x"}, "tensorflow>=2.11"]\n',
        '[tool.poetry.dependencies]\npython = "^3.9"\ntensorflow = "^2.11"\n',
        '[tool.poetry.dependencies]\ntensorflow = {version = "2.11.0", optional = true}\n',
        '[tool.poetry.group.dev.dependencies]\ntensorflow-cpu = "~2.11"\n',
    ],
)
def test_tables_of_pyproject(tmp_path: Path, text: str) -> None:
    write(tmp_path, "pyproject.toml", text)
    assert find_target(tmp_path).version == "2.11"


@pytest.mark.parametrize(
    "text",
    [
        "tensorflow\n",
        "tensorflow-probability>=0.2\n",
        "tensorflow_datasets==4.9\n",
        "tf-nightly\n",
        "tensorflow>=99999999999999999999999\n",
        "tensorflow~=2.123456\n",
        pytest.param("tensorflow==" + "9" * 5_000, id="digits"),
        pytest.param("tensorflow" + ",".join([">=2.1"] * 20_000), id="clauses"),
    ],
)
def test_what_says_nothing_of_the_version(tmp_path: Path, text: str) -> None:
    write(tmp_path, "requirements.txt", text)
    assert find_target(tmp_path).version is None


def test_a_lower_limit_alone_is_not_taken_from_setup(tmp_path: Path) -> None:
    write(tmp_path, "setup.py", "setup(install_requires=['tensorflow>=2.1'])\n")
    assert find_target(tmp_path).version is None


@pytest.mark.parametrize(
    ("name", "text", "is_open"),
    [
        ("requirements.txt", "tensorflow>=2.4\n", True),
        ("requirements.txt", "tensorflow>=2.4,<2.16\n", False),
        ("requirements.txt", "tensorflow==2.4\n", False),
        ("pyproject.toml", '[project]\ndependencies = ["tensorflow>=2.4"]\n', True),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "^2.4"\n', False),
        ("Dockerfile", "FROM tensorflow/tensorflow:2.4.2\n", False),
    ],
)
def test_a_target_is_open_where_newer_ones_do_as_well(
    tmp_path: Path, name: str, text: str, is_open: bool
) -> None:
    write(tmp_path, name, text)
    target = find_target(tmp_path)
    assert (target.version, target.is_open) == ("2.4", is_open)
    assert (" and newer" in str(target)) is is_open


@pytest.mark.parametrize(
    ("setup", "is_open"),
    [
        ("setup(install_requires=['numpy', 'tensorflow'])\n", True),
        ("NEEDED = ['tensorflow>=2.1']\nsetup(install_requires=NEEDED)\n", True),
        ("setup(install_requires=read('requirements.txt'), keywords=['tensorflow'])\n", False),
        ("setup(install_requires=['tensorflow<2.16'])\n", False),
    ],
)
def test_setup_opens_what_another_file_pins(tmp_path: Path, setup: str, is_open: bool) -> None:
    write(tmp_path, "requirements.txt", "tensorflow==2.4.1\n")
    write(tmp_path, "setup.py", setup)
    target = find_target(tmp_path)
    assert (target.version, target.is_open) == ("2.4", is_open)


def test_the_lowest_of_all_files_counts(tmp_path: Path) -> None:
    write(tmp_path, "requirements.txt", "tensorflow>=2.13\n")
    write(tmp_path, "requirements-old.txt", "tensorflow==1.15\n")
    assert find_target(tmp_path).version == "2.13"
    (tmp_path / "requirements-old.txt").unlink()
    write(tmp_path, "poetry.lock", '[[package]]\nname = "tensorflow"\nversion = "2.15.0"\n')
    assert find_target(tmp_path).version == "2.13"


def test_the_setting_beats_what_is_found(tmp_path: Path) -> None:
    write(tmp_path, "requirements.txt", "tensorflow>=2.13\n")
    write(tmp_path, "tfxla-lint.toml", "\ntf-version = '2.10.1'\n")
    settings = settings_for(tmp_path)
    assert (settings.target.version, settings.target.origin) == ("2.10.1", "tfxla-lint.toml:2")
    options = Planner(fake_catalogue()).options(tmp_path / "a.py", settings)
    assert options.tf_version == (2, 10)


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("requirements.txt", "tensorflow==2.18.1\ntf-keras==2.18.0\n", True),
        ("requirements.txt", "tensorflow==2.18.1\n# tf-keras\nkeras\n", False),
        ("pyproject.toml", '[project]\ndependencies = ["tf_keras>=2.16"]\n', True),
        ("setup.py", "setup(install_requires=['tf-keras'])\n", True),
        ("env.yml", "dependencies:\n  - pip:\n    - tf-keras==2.16.0\n", True),
        ("pyproject.toml", '[project]\ndependencies = ["my-tf-keras-tools"]\n', False),
    ],
)
def test_a_required_tf_keras_is_seen(tmp_path: Path, file: str, text: str, expected: bool) -> None:
    (tmp_path / file).write_text(text)
    assert requires_tf_keras(tmp_path) is expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("environment.yml", "dependencies:\n  - tensorflow" + " " * 60_000 + "'x\n"),
        ("poetry.lock", 'name = "tensorflow"' + "\n" * 200_000 + "x\n"),
    ],
)
def test_blanks_without_end_are_read_in_one_go(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / ".git").mkdir()
    began = time.process_time()
    assert settings_for(tmp_path).target.version is None
    # Every way to divide the blanks would take minutes.
    assert time.process_time() - began < 5

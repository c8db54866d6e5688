"""Programs under the recorder: their arguments, their ends, what is kept and what is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.profile.programs import functions, loops, run, write
from tfxla_lint.profile.launch import LaunchError, Plan, launch
from tfxla_lint.profile.program import Program


def test_a_script_runs_as_python_runs_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = """
        import json, sys, os
        import inner.helper
        from inner import other

        class A:
            __slots__ = ("x",)

            def __init__(self, x, *rest, key=1, **more):
                '''Doc.'''
                self.__hidden(x)

            def __hidden(self, __x):
                self.x = __x

        def local():
            a = 1
            return sorted(locals())

        if __name__ == "__main__":
            A(1, 2, key=3, other=4)
            print(json.dumps([
                sys.argv, sys.path[0], __file__, local(), A.__init__.__doc__,
                sys.modules["__main__"].A is A, os.getcwd(), sorted(vars(other)),
            ]))
    """
    write(tmp_path, train=script, inner__helper="def f():\n    pass\nf()\n", inner__other="x = 1\n")
    plain = subprocess.run(
        [sys.executable, "-B", "train.py", "--steps", "3"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    outcome = run(tmp_path, "train.py", "--steps", "3")
    assert outcome.status == 0
    assert capfd.readouterr().out == plain
    assert set(functions(outcome)) == {"f", "A.__init__", "A.__hidden", "local"}
    made = functions(outcome)["A.__init__"]
    assert [argument.name for argument in made.arguments] == ["self", "x", "key", "*rest", "**more"]
    assert not list(tmp_path.rglob("__pycache__"))


def test_modules_and_code_run_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, pack____init__="", pack____main__="import sys\n\n\ndef go():\n    print(sys.argv[1:])\n\n\ngo()\n")  # fmt: skip
    outcome = run(tmp_path, "-m", "pack", "a", "-b")
    assert outcome.status == 0
    assert "go" in functions(outcome)
    assert (
        run(tmp_path, "-c", "import sys, pack.__main__; sys.exit(len(sys.argv))", "x").status == 2
    )
    assert capfd.readouterr().out == "['a', '-b']\n['x']\n"


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("raise SystemExit(7)", 7),
        ("sys.exit('said so')", 1),
        ("1 / 0", 1),
        ("os._exit(5)", 5),
        ("os.kill(os.getpid(), 9)", 128 + 9),
        ("import ctypes; ctypes.string_at(0)", 128 + 11),
    ],
)
def test_an_end_is_passed_on_and_the_recording_kept(tmp_path: Path, end: str, status: int) -> None:
    head = "import os, signal, sys, time\n\n\ndef f(n):\n    pass\n\n\n"
    early = "f(1)\ntime.sleep(2.1)\nf(2)\n" if status > 128 else "f(1)\nf(2)\n"
    write(tmp_path, train=f"{head}{early}{end}\n")
    outcome = run(tmp_path, "train.py", stderr=subprocess.DEVNULL)
    assert outcome.status == status
    assert functions(outcome)["f"].eager == 2


def test_a_traceback_shows_the_program_only(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, train="def f(x):\n    return 1 / x\n\n\ndef g(x):\n    f(x)\n\n\ng(0)\n")
    assert run(tmp_path, "train.py").status == 1
    shown = capfd.readouterr().err
    assert shown.count("  File ") == 3
    assert "recorder" not in shown
    assert "line 2, in f" in shown


@pytest.mark.parametrize("train", ["import other\n", "x = (\n", "raise KeyError from ValueError()"])
def test_errors_look_as_ever(tmp_path: Path, capfd: pytest.CaptureFixture[str], train: str) -> None:
    write(tmp_path, train=train, other="import no_such_module\n")
    assert run(tmp_path, "train.py").status == 1
    shown = capfd.readouterr().err
    command = [sys.executable, "-B", "train.py"]
    plain = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert shown.replace(str(tmp_path), ".") == plain.stderr.replace(str(tmp_path), ".")


def test_generators_threads_recursion_and_loops_are_counted(tmp_path: Path) -> None:
    program = """
        import asyncio, threading

        def numbers(n):
            for i in range(n):
                yield i

        def down(n):
            return n if n == 0 else down(n - 1)

        async def wait(n):
            await asyncio.sleep(0)
            return n

        def fails():
            raise ValueError

        def main():
            for _ in range(2):
                for n in numbers(4):
                    if n == 3:
                        break
            threads = [threading.Thread(target=down, args=(5,)) for _ in range(3)]
            for thread in threads:
                thread.start()
            while threads:
                threads.pop().join()
            asyncio.run(wait(1))
            try:
                fails()
            except ValueError:
                pass

        main()
    """
    write(tmp_path, train=program)
    outcome = run(tmp_path, "train.py")
    assert outcome.status == 0
    found = functions(outcome)
    calls = {name: record.eager for name, record in found.items()}
    assert calls == {"numbers": 2, "down": 18, "wait": 1, "fails": 1, "main": 1}
    assert found["down"].eager_seconds.count == 18
    turns = {(loop.qualname, loop.entries, loop.turns) for loop in loops(outcome)}
    assert turns == {("numbers", 2, 8), ("main", 1, 2), ("main", 2, 8), ("main", 1, 3)}


def test_code_that_cannot_be_watched_runs_all_the_same(tmp_path: Path) -> None:
    nested = "".join("    " * n + "if True:\n" for n in range(60))
    blocks = "".join("    " * (n + 1) + "for i in [0]:\n" for n in range(20))
    program = f"""
import dis

def njit(function):
    for instruction in dis.get_instructions(function):
        assert "tfxla" not in str(instruction.argval)
    return function

class numba:
    @staticmethod
    def jit(**options):
        return njit

@njit
def fast(n):
    for i in range(n):
        n += i
    return n

@numba.jit(nopython=True)
def faster(n):
    return n

{nested}{"    " * 60}pass

def seen():
    return fast(3) + faster(1)

seen()
"""
    (tmp_path / "train.py").write_text(program)
    outcome = run(tmp_path, "train.py")
    assert outcome.status == 0
    assert set(functions(outcome)) == {"njit", "numba.jit", "seen"}
    (tmp_path / "train.py").write_text(
        f"{program}\ndef deep():\n{blocks}{'    ' * 21}pass\ndeep()\n"
    )
    outcome = run(tmp_path, "train.py")
    assert outcome.status == 0
    assert not functions(outcome)


def test_what_is_called_often_is_looked_at_rarely(tmp_path: Path) -> None:
    program = """
        def tiny(n):
            return n

        def main():
            for n in range(200000):
                tiny(n)

        main()
    """
    write(tmp_path, train=program)
    started = time.process_time()
    outcome = run(tmp_path, "train.py")
    assert time.process_time() - started < 5
    tiny = functions(outcome)["tiny"]
    assert tiny.eager == 200_000
    number = tiny.argument("n")
    assert number is not None
    assert 256 < number.value_count < 2000
    assert len(number.values) <= 8
    (loop,) = loops(outcome)
    assert loop.turns == 200_000


def test_pytest_runs_with_its_own_assertions(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    test = """
        from code_under_test import double

        def test_double():
            assert double(2) == 5
    """
    write(tmp_path, code_under_test="def double(x):\n    return 2 * x\n", test_it=test)
    outcome = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py")
    assert outcome.status == 1
    assert "where 4 = double(2)" in capfd.readouterr().out
    assert set(functions(outcome)) == {"double", "test_double"}
    assert not list(tmp_path.rglob("__pycache__"))


def test_code_of_others_is_left_alone(tmp_path: Path) -> None:
    write(
        tmp_path,
        project__train="import outside, sys\nsys.path.append('site-packages')\nimport bought\n"
        "def f():\n    outside.f()\n    bought.f()\nf()\n",
        project__outside="def f():\n    pass\n",
    )
    bought = tmp_path / "project" / "site-packages" / "bought.py"
    bought.parent.mkdir()
    bought.write_text("def f():\n    pass\n")
    (tmp_path / "outside.py").write_text("def f():\n    pass\n")
    outcome = launch(
        Plan(Program(("train.py",)), tmp_path / "project", folder=tmp_path / "project")
    )
    assert outcome.recording is not None
    assert {row["path"] for row in outcome.recording["functions"]} == {"train.py", "outside.py"}


def test_a_root_as_wide_as_the_disk_holds_no_library(tmp_path: Path) -> None:
    write(tmp_path, train="import json, textwrap\ndef f():\n    textwrap.dedent('x')\nf()\n")
    outcome = launch(Plan(Program(("train.py",)), Path("/"), folder=tmp_path, time_limit=30))
    assert outcome.status == 0
    assert set(functions(outcome)) == {"f"}


def test_processes_of_the_program_are_left_alone(tmp_path: Path) -> None:
    program = """
        import multiprocessing, time
        from concurrent.futures import ProcessPoolExecutor

        def square(n):
            return n * n

        def main():
            for how in ("fork", "spawn"):
                context = multiprocessing.get_context(how)
                with ProcessPoolExecutor(1, mp_context=context) as pool:
                    assert list(pool.map(square, range(3))) == [0, 1, 4]
            process = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
            process.start()
            process.terminate()
            process.join()
            assert process.exitcode == -15

        if __name__ == "__main__":
            main()
    """
    write(tmp_path, train=program)
    outcome = run(tmp_path, "train.py", time_limit=30)
    assert outcome.status == 0
    assert set(functions(outcome)) == {"main"}


def test_a_time_limit_ends_all_processes_and_keeps_the_recording(tmp_path: Path) -> None:
    program = """
        import pathlib, signal, subprocess, sys, time

        def f():
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            pathlib.Path("child").write_text(str(child.pid))

        f()
        time.sleep(60)
    """
    write(tmp_path, train=program)
    outcome = run(tmp_path, "train.py", time_limit=2.5)
    assert outcome.timed_out
    assert outcome.seconds < 20
    assert functions(outcome)["f"].eager == 1
    assert not is_alive(int((tmp_path / "child").read_text()))


def test_ctrl_c_ends_the_program_and_keeps_the_recording(tmp_path: Path) -> None:
    program = """
        import os, pathlib, time

        def f():
            pathlib.Path("started").write_text(str(os.getpid()))
            time.sleep(60)

        f()
    """
    write(tmp_path, train=program)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "tfxla_lint", "profile", "-o", "out.json", "--", "train.py"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(temporary)},
        start_new_session=True,
    )
    started = tmp_path / "started"
    deadline = time.monotonic() + 60
    while not (started.exists() and started.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(30) == 130
    assert not is_alive(int(started.read_text()))
    assert (tmp_path / "out.json").exists()
    assert not list(temporary.iterdir())


def test_an_interpreter_that_is_none_is_told(tmp_path: Path) -> None:
    write(tmp_path, train="")
    with pytest.raises(LaunchError, match="cannot run 'no-such-python'"):
        run(tmp_path, "train.py", python="no-such-python")


def is_alive(process: int) -> bool:
    """Whether a process runs still (one that waits to be reaped does not)."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

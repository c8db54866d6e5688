"""Draws the picture of the README: a session in a terminal, from what the tool says.

The last command runs the script on TensorFlow. What was said is kept beside the picture, in
`docs/first_steps/session.txt`, and the tests compare it with what the tool says now.

python -m tools.picture
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "docs" / "first_steps" / "train.py"
SESSION = SCRIPT.with_name("session.txt")
PICTURE = ROOT / "docs" / "picture.svg"
COMMANDS = (
    ("train.py",),
    ("--diff", "train.py"),
    ("--fix", "--verify", "train.py"),
)
WIDTH = 96

_CODE = re.compile(r"\x1b\[([\d;]*)m")
_CONTROL = re.compile(r"\x1b\[\d*[A-HJKST]|\x1b\]8;;.*?\x1b\\|\r")
_COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#f2cc60", "34": "#79c0ff", "36": "#76e3ea"}
_PLAIN, _DIM, _PAPER = "#c9d1d9", "#8b949e", "#0d1117"
_SIZE, _ADVANCE, _HEIGHT, _MARGIN = 14, 8.43, 19, 18


def said(arguments: tuple[str, ...], folder: Path) -> str:
    """What the command prints to a terminal of that width, colours included."""
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "PYTHONPATH")}
    environment |= {
        "COLUMNS": str(WIDTH),
        "TERM": "xterm-256color",
        "FORCE_HYPERLINK": "0",
        "TFXLA_LINT_NO_CACHE": "1",
    }
    command = [sys.executable, "-I", "-m", "tfxla_lint", *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=theirs, stderr=theirs
    ) as run:
        os.close(theirs)
        text = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:
                break
            if not more:
                break
            text += more
        os.close(ours)
        run.wait()
    return _without_progress(text.decode())


def _without_progress(text: str) -> str:
    """The text as it stands in the end: what a line of progress wrote is gone."""
    lines = [line.rpartition("\r\x1b[K")[2] for line in text.replace("\r\n", "\n").split("\n")]
    return _CONTROL.sub("", "\n".join(lines))


def session() -> str:
    """The commands, each with what it prints."""
    parts = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copyfile(SCRIPT, folder / SCRIPT.name)
        for arguments in COMMANDS:
            parts.append(f"$ tfxla-lint {' '.join(arguments)}\n{said(arguments, folder)}")
    return "\n".join(parts)


def plain(text: str) -> str:
    """Text without its colours."""
    return _CODE.sub("", text)


def _spans(line: str) -> Iterator[tuple[str, str]]:
    """The stretches of a line, each with the style of SVG that it has."""
    style = f'fill="{_PLAIN}"'
    place = 0
    if line.startswith("$ "):
        line = f"\x1b[1m{line}\x1b[0m"
    for match in [*_CODE.finditer(line), None]:
        text = line[place : match.start() if match else len(line)]
        if text:
            yield text, style
        if match is not None:
            codes = match[1].split(";")
            colour = next((_COLOURS[code] for code in codes if code in _COLOURS), _PLAIN)
            colour = _DIM if "2" in codes else "#ffffff" if codes == ["1"] else colour
            style = f'fill="{colour}"' + (' font-weight="bold"' if "1" in codes else "")
            place = match.end()


def drawn(text: str) -> str:
    """A picture of a terminal with this text."""
    lines = text.rstrip("\n").split("\n")
    width = round(2 * _MARGIN + WIDTH * _ADVANCE)
    height = 2 * _MARGIN + len(lines) * _HEIGHT
    rows = []
    for number, line in enumerate(lines):
        y = _MARGIN + (number + 0.75) * _HEIGHT
        inner = "".join(f"<tspan {style}>{escape(t)}</tspan>" for t, style in _spans(line))
        if inner:
            rows.append(f'<text x="{_MARGIN}" y="{y:g}" xml:space="preserve">{inner}</text>')
    fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" font-family="{fonts}" font-size="{_SIZE}">'
    )
    title = "<title>A slow loop is found, rewritten, and run against the original</title>"
    paper = f'<rect width="{width}" height="{height}" rx="8" fill="{_PAPER}"/>'
    return "\n".join([head, title, paper, *rows, "</svg>", ""])


def main() -> int:
    """Write the session and its picture."""
    text = session()
    SESSION.write_text(plain(text), "utf-8")
    PICTURE.write_text(drawn(text), "utf-8")
    print(plain(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())

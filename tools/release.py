"""Builds a release, checks what was built, and says what to push. It pushes nothing itself.

The version stands in `tfxla_lint/__init__.py` alone; what else names it is checked against that.

python -m tools.release [--folder dist]
"""

from __future__ import annotations

import argparse
import email
import email.message
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tfxla_lint import __version__
from tools.reproducible import epoch, settle

ROOT = Path(__file__).parents[1]
NEEDED = ("Name", "Version", "Summary", "Requires-Python", "Description-Content-Type", "License")
#: Where examples name the tag of a release, or a file its version.
_TAGGED = re.compile(r"(?:rev: |tfxla-lint@|tfxla-lint-)v?(?P<version>\d+\.\d+\.\d+)")


def stale(root: Path, version: str) -> Iterator[str]:
    """What names another version, and what the release notes lack."""
    notes = (root / "CHANGELOG.md").read_text("utf-8")
    heading = re.search(rf"^## {re.escape(version)}\b(?P<rest>.*)$", notes, re.M)
    if heading is None:
        yield f"CHANGELOG.md has no heading for {version}"
    elif "unreleased" in heading["rest"]:
        yield f"CHANGELOG.md calls {version} unreleased: give it a date"
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        for match in _TAGGED.finditer(path.read_text("utf-8")):
            if match["version"] != version:
                yield f"{path.relative_to(root)} names {match['version']}"
    manifest = (root / "editors" / "vscode" / "package.json").read_text("utf-8")
    if f'"version": "{version}"' not in manifest:
        yield "editors/vscode/package.json has another version"


def git_problems(version: str) -> Iterator[str]:
    """What of the repository is not as it has to be for a tag."""
    if _git("status", "--porcelain"):
        yield "there are changes that are not committed"
    if _git("tag", "--list", f"v{version}"):
        yield f"the tag v{version} exists already"


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def build(folder: Path) -> list[Path]:
    """Build the sdist of what is committed, and the wheel from it: to the same bytes each time."""
    folder.mkdir(parents=True, exist_ok=True)
    moment = epoch(ROOT)
    pinned = {"PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "SOURCE_DATE_EPOCH": str(moment)}
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["git", "archive", "-o", f"{place}/tree.tar", "HEAD"], cwd=ROOT, check=True)
        with tarfile.open(f"{place}/tree.tar") as packed:
            packed.extractall(f"{place}/tree")
        command = [sys.executable, "-m", "build", "--outdir", str(folder), f"{place}/tree"]
        environment = {**os.environ, **pinned}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    files = sorted(folder.glob(f"tfxla_lint-{__version__}*"))
    for path in files:
        settle(path, moment)
    return files


def unlike(files: list[Path]) -> Iterator[str]:
    """The files that come out otherwise when they are built again, under another umask."""
    before = os.umask(0o077)
    try:
        with tempfile.TemporaryDirectory() as place:
            again = {path.name: path.read_bytes() for path in build(Path(place))}
    finally:
        os.umask(before)
    for path in files:
        if again.get(path.name) != path.read_bytes():
            yield f"{path.name} has other bytes when it is built again"


def wrong_in(files: list[Path], version: str) -> Iterator[str]:
    """What an index would refuse of the files, or a user miss in them."""
    kinds = sorted(path.name.rpartition(version)[2] for path in files)
    if kinds != ["-py3-none-any.whl", ".tar.gz"]:
        yield f"not one sdist and one wheel for every platform: {[p.name for p in files]}"
    for path in files:
        metadata = _metadata(path)
        yield from (f"{path.name}: no {name}" for name in NEEDED if not metadata.get(name))
        if metadata.get("Version") != version:
            yield f"{path.name}: its version is {metadata.get('Version')}"
        if metadata.get("Description-Content-Type", "").partition(";")[0] != "text/markdown":
            yield f"{path.name}: the README is not said to be Markdown"
        if len(str(metadata.get_payload())) < 1000:
            yield f"{path.name}: the README is missing"
        if path.suffix == ".whl":
            yield from _wrong_when_installed(path, version)


def _metadata(path: Path) -> email.message.Message:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            name = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
            return email.message_from_bytes(wheel.read(name))
    with tarfile.open(path) as sdist:
        member = sdist.extractfile(f"{path.name.removesuffix('.tar.gz')}/PKG-INFO")
        return email.message_from_bytes(member.read() if member is not None else b"")


def _wrong_when_installed(wheel: Path, version: str) -> Iterator[str]:
    """What goes wrong where the wheel is used in place of the checkout."""
    with tempfile.TemporaryDirectory() as place:
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
        subprocess.run([*pip, "--target", place, str(wheel)], check=True)
        program = (
            f"import sys; sys.path.insert(0, {place!r}); import tfxla_lint.cli;"
            f" assert tfxla_lint.__file__.startswith({place!r}); tfxla_lint.cli.main(sys.argv[1:])"
        )
        for arguments, expected in ((["--version"], version), (["rule", "--all"], "TXL102")):
            command = [sys.executable, "-I", "-c", program, *arguments]
            done = subprocess.run(command, cwd=place, capture_output=True, text=True)
            if done.returncode or expected not in done.stdout:
                yield f"{wheel.name}: `tfxla-lint {' '.join(arguments)}` says {done.stderr[-300:]}"


def main() -> int:
    """Build, check, and say what to push."""
    parser = argparse.ArgumentParser(description="Build a release and check it.")
    parser.add_argument("--folder", type=Path, default=ROOT / "dist")
    folder = parser.parse_args().folder
    files = build(folder)
    found = [
        *stale(ROOT, __version__),
        *git_problems(__version__),
        *wrong_in(files, __version__),
        *unlike(files),
    ]
    for path in files:
        print(f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()} {path.name}")
    for text in found:
        print(f"not ready: {text}")
    if found:
        return 1
    names = " ".join(str(path) for path in files)
    print(f"{__version__} is ready. Once its CI is green:")
    print(f"  git tag -a v{__version__} -m 'tfxla-lint {__version__}'")
    print(f"  git push origin main v{__version__}")
    print(f"  python -m twine upload {names}")
    print("  mkdocs gh-deploy --strict")
    print(f"  (cd editors/vscode && npx @vscode/vsce publish {__version__})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

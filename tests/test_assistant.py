"""The server for coding assistants, asked by the client of the official SDK over stdio."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.test_startup import BAD
from tfxla_lint.cli import main
from tfxla_lint.knowledge import facts
from tfxla_lint.registry import read_catalogue

if TYPE_CHECKING:
    from mcp import Client

# Not imported: that takes long, and whoever only collects the tests does without.
if importlib.util.find_spec("mcp") is None:
    pytest.skip("mcp is not installed", allow_module_level=True)

#: TensorFlow must not be loaded, nor the code run, but by `verify`.
HOSTILE = BAD + "open('was-run', 'w')\n"
SIDES = (
    "import tensorflow as tf\n\n\ndef double(x):\n    return x + x\n\n\nprint(double(1.0))\n",
    "import tensorflow as tf\n\n\ndef double(x):\n    return 3 * x\n\n\nprint(double(1.0))\n",
)


async def ask(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    found = await client.call_tool(tool, arguments)
    text = "".join(getattr(part, "text", "") for part in found.content)
    if found.is_error:
        return {"error": text.removeprefix(f"Error executing tool {tool}: ")}
    assert json.loads(text) == found.structured_content
    return dict(found.structured_content or {})


def printed(folder: Path, *arguments: str) -> Any:
    command = [sys.executable, "-m", "tfxla_lint", *arguments, "--output-format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


async def loop(folder: Path) -> None:
    from mcp import Client, StdioServerParameters

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "tfxla_lint", "mcp"], env=environment, cwd=folder
    )
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"check", "explain", "facts", "fix", "rule", "verify"}
        reading = {n for n, t in tools.items() if t.annotations and t.annotations.read_only_hint}
        assert reading == {"check", "explain", "facts", "rule"}

        found = await ask(client, "check", code=HOSTILE, filename="a.py")
        assert found == await ask(client, "check", paths=["a.py"]) == printed(folder, "a.py")
        fixed = await ask(client, "fix", code=HOSTILE, filename="a.py", unsafe_fixes=True)
        assert "@tf.function" in fixed["code"]
        assert "+@tf.function" in fixed["diff"]
        explained = await ask(client, "explain", code=fixed["code"], function="train_step")
        assert explained["functions"][0]["traced"] == "yes"
        known = facts.as_json(facts.describe("tf.where"))
        assert await ask(client, "facts", name="tf.where") == known
        rule = read_catalogue().by_code["TXL102"].as_json()
        assert await ask(client, "rule", name="eager-loop-body") == rule

        assert await ask(client, "check") == {"error": "give code or paths, one of the two"}
        assert await ask(client, "check", code=BAD, select=["TXL499"]) == {
            "error": "unknown rule 'TXL499' in --select; did you mean 'TXL409'?"
        }
        assert (await ask(client, "facts", name="tf.wher"))["error"].endswith("tf.where?")
        sides = await ask(client, "verify", original=SIDES[0])
        assert sides == {"error": "give original and rewritten, or patch"}
        missing = await ask(client, "verify", patch="", folder="nowhere")
        assert missing == {"error": "nowhere: there is no such folder"}
        odd = {"original": SIDES[0], "rewritten": SIDES[1]}
        assert "NUL" in (await ask(client, "verify", **odd, filename="a\0.py"))["error"]
        assert "seconds" in (await ask(client, "verify", **odd, time_limit=-1))["error"]
        # An interpreter without TensorFlow is all that is tried here.
        fails = await ask(
            client, "verify", original=SIDES[0], rewritten=SIDES[1], python="/no-python"
        )
        assert "cannot start the interpreter" in fails["error"]
    assert sorted(path.name for path in folder.iterdir()) == ["a.py"]


def test_check_fix_explain_and_facts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HOSTILE)
    asyncio.run(asyncio.wait_for(loop(tmp_path), 100))


def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tfxla_lint.cli.server.find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stop:
        main(["mcp"])
    assert stop.value.code == 2
    assert "pip install 'tfxla-lint[mcp]'" in capsys.readouterr().err

#!/usr/bin/env python3
"""Reads what commands write by what others publish: TAP by tap.py, SARIF by sarif-tools, MCP by its Python client.

Called by ./dev exports, which installs them. With a folder as its argument, the npm packages in it read the same
files: the validator of SARIF and tap-parser. The last line is `N passed, N failed`.
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from sarif import loader
from tap.parser import Parser

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATCHLAB = ROOT / "watchlab"
BROKEN = """apiVersion: watchlab/v1
name: broken
story: An expectation that is wrong, a name with a # and more.
clients: [{name: x, kind: informer}]
script: [{create: demo}]
expect: [{store: {exactly: []}}]
"""


class Wrong(Exception):
    """A reader understands something else than was meant. Says what."""


def want(fact, why):
    if not fact:
        raise Wrong(why)


def written(folder):
    """The results of a story that holds and one that does not, in both forms."""
    story = folder / "broken.yaml"
    story.write_text(BROKEN)
    subprocess.run([WATCHLAB, "run", "missed_delete", story, "--tap", folder / "r.tap", "--sarif", folder / "r.sarif"],
                   cwd=ROOT, capture_output=True, check=False)
    return folder / "r.tap", folder / "r.sarif", story


def check_tap(folder, _npm):
    lines = list(Parser().parse_file(str(written(folder)[0])))
    tests = [line for line in lines if line.category == "test"]
    want([test.ok for test in tests] == [True, False], f"the points are {[test.ok for test in tests]}")
    block = tests[1].yaml_block or {}
    want(block.get("kind") == "violation" and ":6: " in block.get("message", ""), f"the block is {block}")
    return f"{len(tests)} points"


def check_sarif(folder, _npm):
    _, file, story = written(folder)
    records = loader.load_sarif_file(str(file)).get_records()
    want(len(records) == 1, f"there are {len(records)} results")
    found = records[0]
    want(found["Severity"] == "error" and found["Line"] == 6, f"it is {found}")
    want(found["Location"].endswith(story.name), f"it is in {found['Location']}")
    return "1 result at its line"


def run_npm(npm, words, **options):
    return subprocess.run(["node", npm / "node_modules" / words[0], *words[1:]], capture_output=True, text=True,
                          check=False, env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}, **options)


def check_sarif_validator(folder, npm):
    done = run_npm(npm, ["@microsoft/sarif-multitool/bin.js", "validate", str(written(folder)[1])])
    want("Analysis completed successfully" in done.stdout, done.stdout + done.stderr)
    wrong = [line for line in done.stdout.splitlines() if ": error " in line]
    want(not wrong, "\n".join(wrong))
    return "no error"


def check_tap_parser(folder, npm):
    done = run_npm(npm, ["tap-parser/bin/cmd.cjs", "-j"], input=written(folder)[0].read_text())
    ended = next(content for name, *content in json.loads(done.stdout) if name == "complete")[0]
    want((ended["count"], ended["pass"], ended["fail"]) == (2, 1, 1), str(ended))
    return "1 passed, 1 failed"


async def talk():
    server = StdioServerParameters(command=str(WATCHLAB), args=["mcp"], cwd=str(ROOT))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = {tool.name for tool in (await session.list_tools()).tools}
        want({"list", "run", "explore", "explain", "shrink", "draw"} <= tools, f"the tools are {sorted(tools)}")

        async def call(name, **arguments):
            answer = await session.call_tool(name, arguments)
            return answer.content[0].text

        want("missed_delete" in await call("list"), "list names no scenario")
        want((await call("run", path=["missed_delete"])).startswith("held"), "run does not hold")
        failed = await call("run", path=["recreated_object_lost"], json=True)
        schedule = json.loads(failed)["schedule"]
        why = await call("explain", file="recreated_object_lost", schedule=schedule)
        want(len(why.splitlines()) > 5, f"explain says {why}")
        with tempfile.TemporaryDirectory(prefix="watchlab-mcp-") as folder:
            story = pathlib.Path(folder) / "broken.yaml"
            story.write_text(BROKEN)
            schedule = json.loads(await call("run", path=[str(story)], json=True))["schedule"]
            short = await call("shrink", file=str(story), schedule=schedule)
            want("w1:" in short, f"shrink says {short}")
            picture = pathlib.Path(folder) / "run.svg"
            await call("draw", file="missed_delete", view="spacetime", output=str(picture))
            want(picture.exists() and "<svg" in picture.read_text(), "draw writes no picture")
        explored = await call("explore", file=["missed_delete"], schedules=20)
        want("20" in explored, f"explore says {explored}")
        return f"{len(tools)} tools"


def check_mcp(_folder, _npm):
    return asyncio.run(talk())


def innermost(group):
    return innermost(group.exceptions[0]) if isinstance(group, BaseExceptionGroup) else group


def main():
    npm = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    checks = [check_tap, check_sarif, check_mcp] + ([check_sarif_validator, check_tap_parser] if npm else [])
    passed = failed = 0
    for check in checks:
        name = check.__name__.removeprefix("check_")
        with tempfile.TemporaryDirectory(prefix="watchlab-readers-") as folder:
            try:
                print(f"held  {name}: {check(pathlib.Path(folder), npm)}", flush=True)
                passed += 1
            except* Wrong as wrong:
                print(f"FAIL  {name}: {innermost(wrong)}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

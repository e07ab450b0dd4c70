#!/usr/bin/env python3
"""Talks to `watchlab mcp` with the Python client of the protocol.

Called by ./dev exports, which installs it. The last line is `N passed, N failed`.
"""

import asyncio
import json
import pathlib
import subprocess
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

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


def innermost(group):
    return innermost(group.exceptions[0]) if isinstance(group, BaseExceptionGroup) else group


def main():
    failed = 0
    try:
        print(f"held  mcp: {asyncio.run(talk())}", flush=True)
    except* Wrong as wrong:
        print(f"FAIL  mcp: {innermost(wrong)}")
        failed = 1
    print(f"{1 - failed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(main())

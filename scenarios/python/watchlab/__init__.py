"""Plays stories of watchlab, and serves its fake Kubernetes API server to programs under test.

    watchlab.run("missed_delete")                            # plays a story; raises StoryFailed unless it holds
    watchlab.serve("copier.yaml", ["python3", "copier.py"])  # the same, against a program of yours
    with watchlab.Server(faults=["cut_watch"]) as server:    # a server of your own, at server.url
        ...

In pytest, the fixture `watchlab_server` is such a server, with the faults of the mark `watchlab_faults`. Both work without
an import.
"""

import os
import pathlib
import shutil
import subprocess

from .server import Server

__all__ = ["ProgramMissing", "Server", "StoryFailed", "program", "run", "serve"]

NATIVE = pathlib.Path(__file__).resolve().parent / "native" / "bin" / "watchlab"


class StoryFailed(AssertionError):
    """A story did not hold. The text is what `watchlab` printed, with the line that plays it again."""


class ProgramMissing(RuntimeError):
    """There is no program to call."""


def program():
    """The path of the program: $WATCHLAB, else the one that this package brings, else the one on the PATH."""
    found = os.environ.get("WATCHLAB") or (NATIVE if NATIVE.exists() else shutil.which("watchlab"))
    if not found:
        raise ProgramMissing("watchlab: this package was installed without its program; name one in $WATCHLAB, or install the wheel")
    return str(found)


def run(story, *options):
    """Plays a story, a folder of them, or one that is shipped, by its name. Returns what `watchlab run` printed.

    Raises StoryFailed unless all hold, and ValueError for bad input.
    """
    return _played(["run", str(story), *options])


def serve(story, command, *options):
    """Serves a story in real time to `command`, a list of words, which finds the server by KUBECONFIG or WATCHLAB_URL.

    Returns what both printed. Raises StoryFailed unless the story holds and the command ends well.
    """
    return _played(["serve", str(story), *options, "--", *map(str, command)])


def _played(words):
    done = subprocess.run([program(), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode == 2 and words[0] == "run":
        raise ValueError(done.stdout.strip())
    if done.returncode:
        raise StoryFailed(done.stdout.strip())
    return done.stdout

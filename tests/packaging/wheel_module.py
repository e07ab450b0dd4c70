"""Calls the module of the wheel, as wheel.sh has installed it, in a folder with broken.yaml. Ends with 0 if all is as it should."""

import os
import subprocess
import sys
import time
import urllib.request

import watchlab

CREATES = 'import os, urllib.request as r; r.urlopen(os.environ["WATCHLAB_URL"] + "/api/v1/namespaces/default/configmaps")'


def refused(error, call, *arguments):
    """What the error says that this call must raise."""
    try:
        call(*arguments)
    except error as said:
        return str(said)
    raise SystemExit(f"{error.__name__} was wanted of {call.__name__}{arguments}")


assert "missed_delete" in watchlab.run("missed_delete")
assert "broken.yaml" in refused(watchlab.StoryFailed, watchlab.run, "broken.yaml")
assert "missed_delete" in refused(ValueError, watchlab.run, "mised_delete")
watchlab.serve("outside.yaml", [sys.executable, "-c", CREATES])
assert "status 3" in refused(watchlab.StoryFailed, watchlab.serve, "outside.yaml", ["sh", "-c", "exit 3"])

with watchlab.Server(faults=["{fail_list: {answer: internal, times: 1}}"]) as server:
    assert len(server.faults()) == 1
    environment = {**os.environ, **server.environment()}
    assert subprocess.run([sys.executable, "-c", CREATES], env=environment, stderr=subprocess.DEVNULL, check=False).returncode == 1
    subprocess.run([sys.executable, "-c", CREATES], env=environment, check=True)
    assert [each["code"] for each in server.exchanges()] == [500, 200]
    kubeconfig = server.kubeconfig
    assert os.path.exists(kubeconfig)
assert not os.path.exists(kubeconfig)
assert "ADDRESS:PORT" in refused(RuntimeError, watchlab.Server, (), ["--listen", "nowhere"])

# A server ends with the program that started it, even if that is killed.
LEAVES = "import os, watchlab; print(watchlab.Server().url, flush=True); os.kill(os.getpid(), 9)"
left = subprocess.run([sys.executable, "-c", LEAVES], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
until = time.monotonic() + 20
while True:
    try:
        urllib.request.urlopen(left + "/healthz", timeout=5).close()
    except OSError:
        break
    assert time.monotonic() < until, "the server is still there"
    time.sleep(0.05)

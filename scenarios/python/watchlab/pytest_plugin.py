"""The fixture `watchlab_server` and the mark `watchlab_faults`, which pytest finds by itself."""

import pytest

from .server import Server


def pytest_configure(config):
    config.addinivalue_line("markers", "watchlab_faults(*faults): what the fixture watchlab_server does wrong from its start on")


@pytest.fixture
def watchlab_server(request, monkeypatch):
    """A fake Kubernetes API server of this test alone. Programs that the test starts find it by KUBECONFIG and WATCHLAB_URL."""
    faults = [fault for mark in request.node.iter_markers("watchlab_faults") for fault in mark.args]
    with Server(faults=faults) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server

"""Tests of docs/python.md: a client that must list again after an error, and a story."""

import json
import urllib.error
import urllib.request

import pytest
import watchlab


def names_of_config_maps(server):
    """The client under test: lists ConfigMaps, and tries a second time when the server fails."""
    for is_last in (False, True):
        try:
            with urllib.request.urlopen(server + "/api/v1/namespaces/default/configmaps") as answer:
                return [each["metadata"]["name"] for each in json.load(answer)["items"]]
        except urllib.error.HTTPError as failure:
            if failure.code < 500 or is_last:
                raise


@pytest.mark.watchlab_faults({"fail_list": {"answer": "internal", "times": 1}})
def test_lists_again_after_an_error(watchlab_server):
    assert names_of_config_maps(watchlab_server.url) == []
    assert [each["code"] for each in watchlab_server.exchanges()] == [500, 200]


@pytest.mark.watchlab_faults("{fail_list: {answer: internal, times: 2}}")
def test_gives_up_after_two_errors(watchlab_server):
    with pytest.raises(urllib.error.HTTPError):
        names_of_config_maps(watchlab_server.url)
    watchlab_server.heal()
    assert names_of_config_maps(watchlab_server.url) == []


def test_refuses_a_fault_that_is_none(watchlab_server):
    with pytest.raises(ValueError, match="cut_watch"):
        watchlab_server.add_fault("cut_wach")


def test_story_holds():
    assert "missed_delete" in watchlab.run("missed_delete")

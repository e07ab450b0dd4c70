"""Which faults clients of others get over: each legal fault, over real HTTP, to each client. Writes tests/clients/faults.md.
Called by ./dev clients --faults."""

import concurrent.futures
import pathlib
import tempfile
import time
import urllib.error

from drive import MAPS, Client, Server, names_of

# Of each legal fault its details; those marked "server" are about servers and know no clients.
FAULTS = {
    "black_hole": {},
    "buffer_events": {"every": "700ms"},
    "cache_not_ready": {},
    "close_watch": {"new_streams": True, "after": "100ms"},
    "compact_store": {"server": True},
    "cut_watch": {"new_streams": True, "after": "100ms"},
    "delay": {"by": "700ms", "what": "events"},
    "evict_watch_window": {"server": True},
    "fail_list": {"answer": "internal"},
    "fail_requests": {"answer": "unavailable"},
    "fail_stream": {"answer": "expired", "new_streams": True},
    "fail_watch": {"answer": "too_many", "retry_after": 1},
    "freeze_server": {"server": True},
    "hang_requests": {"after": "1s"},
    "interim_response": {},
    "join_events": {"grace_period": "500ms"},
    "lag_server": {"by": "1s", "server": True},
    "login_page": {},
    "omit_last_chunk": {},
    "omit_newline": {},
    "refuse_connections": {},
    "restart_server": {"server": True},
    "split_bytes": {"piece": 7, "pause": "5ms"},
    "stall_watch": {"span": "2s"},
    "stop_progress": {"server": True},
    "swallow_error_event": {},
    "tear_bytes": {"keep": 60},
    "tear_event": {},
    "withdraw_resource": {"resource": "configmaps", "server": True},
}
# A fault that changes what another one does needs that one, too.
COMPANIONS = {"swallow_error_event": {"fail_stream": {"answer": "expired", "new_streams": True}}}


def place(server, name, clients):
    """Puts the fault in place, for each name of the client."""
    details = dict(FAULTS[name])
    whole = details.pop("server", False)
    for client in [None] if whole else clients:
        server.add_fault({name: {**details, **({} if client is None else {"of": client})}})
        if name in COMPANIONS:
            (other, more), = COMPANIONS[name].items()
            server.add_fault({other: {**more, "of": client}})


def write(server, name, value):
    """A write by the driver, None for a deletion; a server that does not serve the collection takes none."""
    try:
        if value is None:
            server.ask("DELETE", f"{MAPS}/{name}")
        else:
            server.write(name, value)
    except urllib.error.HTTPError:
        pass


def touched(server):
    items = server.ask("GET", "/watchlab/v1/faults")["items"]
    return sum(each["acted"] for each in items)


def why_not(server, client, since):
    """What a client does that has not come back."""
    if client.process.poll() is not None:
        return "its program has ended"
    last = [each for each in server.exchanges() if each["verb"] in ("LIST", "WATCH")][-1:]
    if last and last[0].get("end") == "open":
        return "it waits for its watch"
    if last and last[0]["number"] <= since:
        return "it asks no more"
    return "it asks and does not understand"


def cell(server, command, fault, log):
    """What one client makes of one fault."""
    write(server, "a", "0")
    write(server, "gone", "0")
    client = Client(command, server, log)
    try:
        if client.sees(server.store()) is None:
            return "did not start"
        names = names_of(server)
        place(server, fault, names)
        write(server, "made", "1")
        time.sleep(0.5)
        for name in names:  # so that there are requests, too
            server.add_fault({"close_watch": {"of": name, "as": f"end of {name}"}})
        write(server, "gone", None)
        time.sleep(2)
        acted = touched(server) > 0 or FAULTS[fault].get("server")
        before = server.last()
        server.heal()
        write(server, "a", "3")
        took = client.sees(server.store())
        if took is None:
            return f"no: {why_not(server, client, before)}"
        return (f"{took:.1f} s" if took >= 0.05 else "at once") + ("" if acted else " (not met)")
    finally:
        client.close()
        server.heal()


def column(watchlab, command, folder):
    """One client and all faults, one after the other, over one server each."""
    cells = {}
    for fault in FAULTS:
        with tempfile.TemporaryDirectory() as place_:
            server = Server(watchlab, pathlib.Path(place_), command["serve"])
            try:
                cells[fault] = cell(server, command, fault, folder / f"{command['name']}.log")
            except (OSError, ValueError) as failure:
                cells[fault] = f"not measured: {type(failure).__name__} {failure}"
            finally:
                server.close()
        print(f"{command['name']:20} {fault:22} {cells[fault]}", flush=True)
    return cells


def legal_faults(watchlab):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(watchlab, pathlib.Path(folder))
        try:
            items = server.ask("GET", "/watchlab/v1/fault-types")["items"]
        finally:
            server.close()
    return {each["name"] for each in items if each["legal"]}


def measure(watchlab, clients, folder, output):
    """Prints the cells as they come, and writes the page."""
    missing = legal_faults(watchlab) ^ set(FAULTS)
    if missing:
        print(f"tests/clients/faults.py and the catalogue differ: {', '.join(sorted(missing))}")
        return 1
    with concurrent.futures.ThreadPoolExecutor(max_workers=3) as pool:
        columns = dict(zip([each["name"] for each in clients],
                           pool.map(lambda each: column(watchlab, each, folder), clients)))
    page(clients, columns, output)
    return 0


def page(clients, columns, output):
    head = pathlib.Path(__file__).with_name("clients_page.txt").read_text(encoding="utf-8")
    lines = ["| fault | " + " | ".join(each["about"] for each in clients) + " |",
             "|---" * (len(clients) + 1) + "|"]
    for fault in FAULTS:
        lines.append(f"| `{fault}` | " + " | ".join(columns[each["name"]][fault] for each in clients) + " |")
    part = output.with_name(output.name + ".part")
    part.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    part.rename(output)

"""Both servers: a kube-apiserver with its own etcd, and `watchlab serve`. Loopback only; stopped by their pids."""
import base64
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time

TOKEN = "judge-token"
READY_WITHIN = 300


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Processes:
    """The servers that run, each as a process group of its own. A signal that ends the judge ends them first."""

    lock, running, ended = threading.RLock(), [], False

    @classmethod
    def start(cls, command, log):
        with cls.lock:
            if cls.ended:
                raise SystemExit("judge: ended by a signal")
            process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
            cls.running.append(process)
            return process

    @classmethod
    def stop(cls, process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        with cls.lock:
            if process in cls.running:
                cls.running.remove(process)

    @classmethod
    def end_on_signals(cls):
        def end(number, _):
            with cls.lock:  # that the main thread may have: what starts in another one is started, and found here
                cls.ended = True
            for process in list(cls.running):
                cls.stop(process)
            os._exit(128 + number)  # threads that wait for answers are not waited for

        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, end)


class Server:
    """What both have: a place, and connections to it."""

    tls = None
    fields = {}
    has_late_caches = False  # whether a read that a cache may answer can miss what was written just before
    fills_within = 0  # seconds, in which a server that has started may say that its caches are not filled, N6
    bookmarks_early = False  # whether a bookmark may come before a minute has passed, N5

    def connect(self, timeout=60):
        if self.tls:
            return http.client.HTTPSConnection("127.0.0.1", self.port, context=self.tls, timeout=timeout)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def socket(self):
        plain = socket.create_connection(("127.0.0.1", self.port))
        return self.tls.wrap_socket(plain, server_hostname="localhost") if self.tls else plain

    def ask(self, method, path, body=None):
        connection = self.connect()
        connection.request(method, path, body, {**self.fields, "Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        connection.close()
        return answer.status, text

    def write_for_itself(self):
        """As a real server does when it compacts or starts, so that nobody's revision is the newest."""
        self.ask("POST", "/api/v1/namespaces", json.dumps({"metadata": {"generateName": "own-"}}))

    def await_ready(self):
        self.started = time.monotonic()
        until = self.started + READY_WITHIN
        while time.monotonic() < until:
            if self.process.poll() is not None:
                break
            try:
                if self.ask("GET", "/readyz")[0] == 200:
                    self.started = time.monotonic()
                    return
            except OSError:
                pass
            time.sleep(0.1)
        self.stop()
        raise SystemExit(f"judge: {self.name} does not become ready; see {self.folder}/log")

    def stop(self):
        Processes.stop(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Real(Server):
    """A kube-apiserver. `folder` has its certificates, its log and what etcd keeps."""

    fields = {"Authorization": "Bearer " + TOKEN}
    has_late_caches = True
    fills_within = 60
    bookmarks_early = True

    def __init__(self, program, folder, flags=()):
        self.name = "kube-apiserver"
        self.program = pathlib.Path(program)
        self.folder = pathlib.Path(folder)
        self.flags = list(flags)
        self.collections = ["/api/v1/configmaps"]  # that have caches which must learn of a compaction
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tls = ssl.create_default_context()
        self.tls.check_hostname = False
        self.tls.verify_mode = ssl.CERT_NONE  # its certificate is its own, and the way is loopback
        self.port, self.etcd_port = free_port(), free_port()
        shutil.rmtree(self.folder / "etcd", ignore_errors=True)
        self.prepare()
        self.start()

    def prepare(self):
        key = self.folder / "accounts.key"
        if not key.exists():
            subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, stderr=subprocess.DEVNULL)
        (self.folder / "tokens.csv").write_text(f'{TOKEN},judge,judge,"system:masters"\n')

    def command(self):
        key = self.folder / "accounts.key"
        return [
            self.program, self.folder / "etcd", str(self.etcd_port),
            "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", f"--secure-port={self.port}",
            f"--cert-dir={self.folder}/certificates", f"--token-auth-file={self.folder}/tokens.csv",
            "--authorization-mode=AlwaysAllow", "--anonymous-auth=false",
            "--service-account-issuer=https://judge.local", f"--service-account-key-file={key}",
            f"--service-account-signing-key-file={key}", "--service-cluster-ip-range=10.0.0.0/24",
            "--disable-admission-plugins=ServiceAccount,PodSecurity,Priority,ResourceQuota,LimitRanger",
            "--endpoint-reconciler-type=none", "--enable-priority-and-fairness=false",
            *self.flags,
        ]  # fmt: skip

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = Processes.start(self.command(), log)
        self.await_ready()

    def restart(self):
        self.write_for_itself()
        self.stop()
        self.start()

    def etcd(self, path, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.etcd_port, timeout=20)
        connection.request("POST", path, json.dumps(body))
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    def compact(self):
        """Compacts etcd at its newest revision, and has the apiserver learn of it, as if it had done that itself."""
        key = base64.b64encode(b"compact_rev_key").decode()
        old = json.loads(self.ask("GET", "/api/v1/configmaps?limit=1")[1])["metadata"]["resourceVersion"]
        self.etcd("/v3/kv/put", {"key": key, "value": base64.b64encode(b"1").decode()})
        revision = str(self.etcd("/v3/kv/range", {"key": key})["header"]["revision"])
        self.etcd("/v3/kv/compaction", {"revision": revision, "physical": True})
        self.etcd("/v3/kv/put", {"key": key, "value": base64.b64encode(revision.encode()).decode()})
        until = time.monotonic() + 60  # each cache looks from time to time
        for path in self.collections:
            while self.ask("GET", f"{path}?limit=1&resourceVersion={old}&resourceVersionMatch=Exact")[0] != 410:
                if time.monotonic() > until:
                    raise SystemExit(f"judge: kube-apiserver does not learn of a compaction: {path}")
                time.sleep(0.2)


class Ours(Server):
    """`watchlab serve`."""

    def __init__(self, program, folder):
        self.name = "watchlab serve"
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.collections = []
        with open(self.folder / "log", "ab") as log:
            # What a kube-apiserver does alone; the other controllers are none of its own.
            command = [program, "serve", "--controllers", "namespaces,system", "--listen", f"127.0.0.1:{self.port}"]
            self.process = Processes.start(command, log)
        self.await_ready()
        for number in range(20):  # so that no revision is as small as those that sequences make up
            self.ask("POST", "/api/v1/namespaces", json.dumps({"metadata": {"name": f"first-{number}"}}))

    def fault(self, text):
        self.ask("DELETE", "/watchlab/v1/faults")  # one that has done its work is still in place
        code, answer = self.ask("POST", "/watchlab/v1/faults", text)
        if code >= 300:
            raise SystemExit(f"judge: watchlab serve refuses the fault {text}: {answer}")

    def compact(self):
        self.write_for_itself()
        self.fault("{compact_store: {}}")

    def restart(self):
        self.write_for_itself()
        self.fault("{restart_server: {}}")
        self.write_for_itself()

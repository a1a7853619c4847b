"""What the gateway costs a call, beside proxies that decide and record nothing; all in one run, in turns.

Prints a table in Markdown. Nothing fails because it is slow: docs/benchmarks.md says what is wanted, on an idle machine.
"""

import argparse
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from rules import add_rules

HERE = Path(__file__).resolve().parent
PROGRAMS = Path(os.environ["BENCHMARK_PROGRAMS"])
PEERS = Path(os.environ["BENCHMARK_PEERS"])
PORTCULLIS, DRIVER, ECHO = (PROGRAMS / name for name in ("portcullis", "driver", "echo-server"))
# Only reached where something hangs.
LONGEST = 600
# Calls that the driver makes and does not count, until caches are warm and code is compiled.
BEFORE = 200

# The server is in no catalogue: what its one tool does is derived from its definition for every session.
RULES = [
    "allow read from echo:** to ctxt carrying secret, untrusted",
    "allow write from ctxt to echo:** carrying secret, untrusted",
]
CRASH, POWER = "portcullis run", "portcullis run, survives power loss"
SERVE = "portcullis serve"


def microseconds(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] / 1000


class Place:
    """A folder with stores, on a disk and not in memory, since what is recorded is part of what is measured."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.prepared = self.folder / "prepared"
        self.recording = {}
        self.prepared.mkdir(mode=0o700)
        add_rules(PORTCULLIS, self.prepared, RULES, folder)

    def store(self, survives="crash"):
        """A store of its own with the rules, in which nobody has been asked anything."""
        state = Path(tempfile.mkdtemp(dir=self.folder))
        shutil.copytree(self.prepared, state, dirs_exist_ok=True)
        (state / "portcullis.toml").write_text(f'[asking]\nwait = 1\nchannel = "terminal"\n[audit]\nsurvives = "{survives}"\n')
        return state

    def environment(self, state):
        return [f"PORTCULLIS_HOME={state}", f"HOME={self.folder}"]

    def guarded(self, name, survives):
        """A way through the gateway, whose store is looked at afterwards."""
        work, state = Path(tempfile.mkdtemp(dir=self.folder)), self.store(survives)
        self.recording[name] = state
        words = ["run", "--name", "echo", "--workspace", work, "--", ECHO]
        return ("stdio", name, "env", *self.environment(state), PORTCULLIS, *words)

    def check_recorded(self, calls):
        """Calls that were not decided and recorded would be quick."""
        for name, state in self.recording.items():
            with closing(sqlite3.connect(f"file:{state / 'portcullis.db'}?mode=ro", uri=True)) as store:
                found = dict(store.execute("SELECT kind, count(*) FROM audit GROUP BY kind"))
            if (found.get("verdict"), found.get("outcome")) != (calls, calls):
                raise SystemExit(f"{name}: {calls} calls, and in the audit log are {found}")


@contextmanager
def listening(command, pattern=r"listening on (\S+)", address=None):
    """A program that says where it listens, on either of its streams."""
    program = subprocess.Popen(
        list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        found = next((found for line in program.stdout if (found := re.search(pattern, line))), None)
        if found is None:
            raise SystemExit(f"{command[0]} does not listen")
        # What it says later is not wanted, and must not fill the pipe.
        eater = subprocess.Popen(["cat"], stdin=program.stdout, stdout=subprocess.DEVNULL)
        yield program, address or found[1]
        eater.kill()
        eater.wait()
    finally:
        program.send_signal(signal.SIGTERM)
        try:
            program.wait(10)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        program.stdout.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def npm_proxy():
    port = free_port()
    program = PEERS / "npm" / "node_modules" / ".bin" / "mcp-proxy"
    command = [program, "--host", "127.0.0.1", "--port", port, "--server", "stream", "--no-eventStore", "--", ECHO]
    return listening(command, "starting server on port", f"http://127.0.0.1:{port}/mcp")


def pip_proxy():
    port = free_port()
    command = [PEERS / "mcp-proxy" / "bin" / "mcp-proxy", "--port", port, ECHO]
    return listening(command, "Uvicorn running on", f"http://127.0.0.1:{port}/mcp")


@contextmanager
def serve(place, server):
    settings = Path(tempfile.mkdtemp(dir=place.folder)) / "serve.toml"
    settings.write_text(f"[servers.echo]\n{server}\n")
    words = ["serve", "--listen", "127.0.0.1:0", "--without-token", "--config", settings]
    with listening(["env", *place.environment(place.store()), PORTCULLIS, *words]) as (program, base):
        yield program, f"{base.rstrip('/')}/servers/echo"


def can_serve():
    return subprocess.run([PORTCULLIS, "serve", "--help"], capture_output=True).returncode == 0


def drive(*words):
    done = subprocess.run([DRIVER, *map(str, words)], capture_output=True, text=True, timeout=LONGEST)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return [(name, [int(time) for time in times.split(",")]) for name, times in rows]


def latency(place, options):
    """The time of a call in each way, with the ways in turns."""
    with ExitStack() as stack:
        ways = [("stdio", "direct", ECHO)]
        # Two more processes on the way that read and write, and nothing else.
        ways.append(("stdio", "`cat` on both sides", "sh", "-c", f"cat | '{ECHO}' | cat"))
        ways.append(("http", "direct, server over HTTP", stack.enter_context(listening([ECHO, "--http"]))[1]))
        ways.append(place.guarded(CRASH, "crash"))
        ways.append(place.guarded(POWER, "power"))
        proxy = [PEERS / "fastmcp" / "bin" / "python", HERE / "peers" / "fastmcp_proxy.py", ECHO]
        ways.append(("stdio", "fastmcp proxy", *proxy))
        ways.append(("http", "npm mcp-proxy (HTTP in front)", stack.enter_context(npm_proxy())[1]))
        ways.append(("http", "pip mcp-proxy (HTTP in front)", stack.enter_context(pip_proxy())[1]))
        if can_serve():
            server = stack.enter_context(serve(place, f'command = ["{ECHO}"]'))
            ways.append(("http", f"{SERVE} (HTTP in front)", server[1]))
        plan = place.folder / "plan"
        plan.write_text("".join("\t".join(map(str, way)) + "\n" for way in ways))
        times = dict(drive("latency", plan, options.rounds, options.calls))
    place.check_recorded(BEFORE + options.rounds * options.calls)
    return times


def latency_table(times):
    direct = times["direct"]
    cost = microseconds(times[CRASH], 0.5) - microseconds(direct, 0.5)
    print("| a small call | p50, µs | p99, µs | added p50 | added p99 | added p50 ÷ Portcullis' |")
    print("|---|---|---|---|---|---|")
    for name, taken in times.items():
        middle, late = microseconds(taken, 0.5), microseconds(taken, 0.99)
        added, added_late = middle - microseconds(direct, 0.5), late - microseconds(direct, 0.99)
        words = f"{added:,.0f} | {added_late:,.0f} | {added / cost:.1f} ×" if name != "direct" else " | | "
        print(f"| {name} | {middle:,.1f} | {late:,.1f} | {words} |")


def throughput(place, options):
    """Calls of many connections at once, and how long they take then."""
    print(f"\n| {options.connections} connections for {options.seconds} s | calls a second | p50, µs | p99, µs |")
    print("|---|---|---|---|")
    with ExitStack() as stack:
        _, direct = stack.enter_context(listening([ECHO, "--http"]))
        ways = {"direct, HTTP": direct}
        if can_serve():
            ways[f"{SERVE}, server over HTTP"] = stack.enter_context(serve(place, f'url = "{direct}"'))[1]
            ways[f"{SERVE}, server over stdio"] = stack.enter_context(serve(place, f'command = ["{ECHO}"]'))[1]
        ways["npm mcp-proxy, server over stdio"] = stack.enter_context(npm_proxy())[1]
        ways["pip mcp-proxy, server over stdio"] = stack.enter_context(pip_proxy())[1]
        for name, address in ways.items():
            found = drive("throughput", address, options.connections, options.seconds)
            times = [time for _, taken in found for time in taken]
            words = f"{microseconds(times, 0.5):,.0f} | {microseconds(times, 0.99):,.0f}"
            print(f"| {name} | {len(times) / options.seconds:,.0f} | {words} |", flush=True)


def memory(process):
    """The memory of a process that it shares with nobody, and its part of what it shares, in bytes."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return int(re.search(r"^Pss: +(\d+) kB", rollup, re.MULTILINE)[1]) << 10


def sessions(place, options):
    """What a session costs in which nothing happens."""
    with listening([ECHO, "--http"]) as (_, direct), serve(place, f'url = "{direct}"') as (program, address):
        drive("throughput", address, 1, 1)
        before = memory(program.pid)
        with subprocess.Popen([DRIVER, "sessions", address, str(options.sessions)], stdin=-1, stdout=-1) as holder:
            if holder.stdout.readline() != b"open\n":
                raise SystemExit("the sessions could not be opened")
            after = memory(program.pid)
            holder.stdin.close()
    each = (after - before) / options.sessions / 1024
    print(f"\n{SERVE}: {before >> 20} MB with one session, {each:,.1f} kB more for each of {options.sessions} idle ones")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--calls", type=int, default=100, help="in each way and round")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--sessions", type=int, default=500)
    return parser.parse_args()


def main():
    options = arguments()
    print(f"load average before: {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors\n")
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=PEERS) as folder:
        place = Place(folder)
        latency_table(latency(place, options))
        throughput(place, options)
        if can_serve():
            sessions(place, options)
        else:
            print(f"\nleft out: this program has no `{SERVE}`")
    print(f"\nload average after: {os.getloadavg()[0]:.2f}")


sys.exit(main())

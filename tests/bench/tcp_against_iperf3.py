#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""Native TCP over loopback beside iperf3, interleaved in one run.

    cmake --preset release && cmake --build --preset release
    tests/bench/tcp_against_iperf3.py [--rounds 7] [--seconds 4] [--connections 1 4]

Goodput: payload bytes the server's kernel has summed, over the time the client sent. Processor time:
user + system of both processes, server and client, from their start to their end, as the OS charges
it when they are reaped. Medians, with the least and the most beside them.
"""

import argparse
import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FRAME_BYTES = 4 << 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Process:
    def __init__(self, *command):
        self.output = tempfile.TemporaryFile()
        self.popen = subprocess.Popen([str(c) for c in command], stdout=self.output,
                                      stderr=subprocess.STDOUT)

    def text(self):
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    def wait(self):
        """Waits for the end; processor seconds."""
        _, status, usage = os.wait4(self.popen.pid, 0)
        self.popen.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime


def iperf3(connections, seconds):
    port = free_port()
    server = Process("iperf3", "--server", "--one-off", "--port", port, "--json")
    time.sleep(0.3)
    client = Process("iperf3", "--client", "127.0.0.1", "--port", port, "--time", seconds,
                     "--parallel", connections, "--json")
    cpu = client.wait() + server.wait()
    result = json.loads(client.text())["end"]["sum_received"]
    return result["bytes"] / result["seconds"] / 1e9, cpu / (result["bytes"] / 1e9)


def penstock(build, connections, seconds):
    port = free_port()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # As much memory as the streams need: taking more at start is processor time that sends nothing.
        (folder / "rig.yaml").write_text(f"device: host\nlisten: {{tcp: '127.0.0.1:{port}', memory: 64MiB}}\n")
        server = Process(build / "penstock", "serve", "-c", folder / "rig.yaml", "--summary",
                         folder / "summary.json", "--log-level", "warning")
        while not listening(port):
            time.sleep(0.05)
        client = Process(build / "penstock-load", "--to", f"127.0.0.1:{port}", "--streams",
                         connections, "--connections", connections, "--frame-bytes", "4MiB",
                         "--rate", "0", "--duration", seconds, "--report", folder / "report.json")
        cpu = client.wait()
        if client.popen.returncode != 0:
            raise SystemExit(f"penstock-load failed:\n{client.text()}")
        server.popen.send_signal(signal.SIGTERM)
        cpu += server.wait()
        summary = json.loads((folder / "summary.json").read_text())
        report = json.loads((folder / "report.json").read_text())
    if not summary["books_balanced"]:
        raise SystemExit("the books do not balance")
    frames = sum(stream["frames"]["delivered"] for stream in summary["streams"])
    gigabytes = frames * FRAME_BYTES / 1e9
    return gigabytes / report["seconds"], cpu / gigabytes


def spread(values):
    return f"{statistics.median(values):6.3f} ({min(values):.3f} to {max(values):.3f})"


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--seconds", type=int, default=4)
    options.add_argument("--connections", type=int, nargs="+", default=[1, 4])
    options.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    options = options.parse_args()

    print("connections  what                    penstock                    iperf3"
          "                      ratio of medians")
    for connections in options.connections:
        ours, theirs = [], []
        for _ in range(options.rounds):
            theirs.append(iperf3(connections, options.seconds))
            ours.append(penstock(options.build, connections, options.seconds))
        for index, what in enumerate(("goodput GB/s", "cpu seconds per GB")):
            a, b = [x[index] for x in ours], [x[index] for x in theirs]
            ratio = statistics.median(a) / statistics.median(b)
            print(f"{connections:11d}  {what:18s}  {spread(a):28s}  {spread(b):28s}  {ratio:.2f}")


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""Starts the real programs and reads what they leave behind. Standard library only."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = os.environ.get("PENSTOCK_BIN", str(ROOT / "build/dev/penstock"))
LOAD = os.environ.get("PENSTOCK_LOAD_BIN", str(ROOT / "build/dev/penstock-load"))
CAPTURES = pathlib.Path(os.environ.get("PENSTOCK_CAPTURES", ROOT.parent / "shared/captures"))

# A watchdog, not an expectation: nothing here takes this long unless it hangs.
PATIENCE_S = 60


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"never came: {what}")


class Server:
    """`penstock serve` with a configuration given as text."""

    def __init__(self, folder, config, *options, wait_for="serving", prefix=()):
        self.folder = pathlib.Path(folder)
        self.config = self.folder / "rig.yaml"
        self.config.write_text(config)
        self.summary_file = self.folder / "summary.json"
        self.log_file = self.folder / "server.log"
        self.log = open(self.log_file, "wb")
        self.process = subprocess.Popen(
            [*prefix, SERVER, "serve", "-c", str(self.config), "--summary", str(self.summary_file),
             *map(str, options)],
            stdout=self.log, stderr=subprocess.STDOUT)
        if wait_for:
            wait_until(lambda: wait_for in self.text() or self.process.poll() is not None,
                       f"the server's line {wait_for!r}")
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended at once:\n{self.text()}")

    def text(self):
        return self.log_file.read_text(errors="replace")

    def wait(self):
        try:
            return self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"the server did not end:\n{self.text()[-4000:]}") from None

    def stop(self, number=signal.SIGTERM):
        """Asks it to drain; the closing account."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.wait()
        self.log.close()
        if code != 0:
            raise AssertionError(f"exit code {code}:\n{self.text()[-4000:]}")
        return self.summary()

    def summary(self):
        return json.loads(self.summary_file.read_text())

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, whose servers are gone when it ends."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="penstock-test-"))
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def serve(self, config, *options, **how):
        folder = self.folder / f"server{len(self.servers)}"
        folder.mkdir()
        server = Server(folder, config, *options, **how)
        self.servers.append(server)
        return server

    def replay(self, capture, *options, port=2368, config=None):
        """Plays a capture to its end; the server and its exit code."""
        config = config or (
            "device: host\nmemory: {pinned_limit: 256MiB}\n"
            f"streams:\n  - {{name: lidar_top, format: velodyne_vlp16, udp: {{port: {port}}}}}\n")
        server = self.serve(config, "--replay", capture, "--pace", "max", *options, wait_for=None)
        return server, server.wait()

    def load(self, port, *options, check=True):
        result = subprocess.run([LOAD, "--to", f"127.0.0.1:{port}", *map(str, options)],
                                capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if check and result.returncode != 0:
            raise AssertionError(f"penstock-load: {result.returncode}\n{result.stdout}{result.stderr}")
        return result

    def capture(self, name):
        path = CAPTURES / name
        if not path.exists():
            self.skipTest(f"the capture {name} is not here (PENSTOCK_CAPTURES={CAPTURES})")
        return path

    def stream(self, summary, name):
        found = [s for s in summary["streams"] if s["name"] == name]
        self.assertEqual(len(found), 1, f"streams: {[s['name'] for s in summary['streams']]}")
        return found[0]

    def assert_books_balance(self, summary):
        """Recomputed from the causes, not taken from the server's word."""
        for stream in summary["streams"]:
            frames, packets = stream["frames"], stream["packets"]
            self.assertEqual(frames["completed"],
                             frames["delivered"] + sum(frames["dropped"].values()), stream)
            self.assertEqual(packets["received"],
                             packets["placed"] + packets["side"] + sum(packets["rejected"].values())
                             + sum(packets["dropped"].values()), stream)
            self.assertEqual(sum(stream["delivery"].values()), frames["delivered"], stream)
        self.assertTrue(summary["books_balanced"])


def read_pcd(path):
    """The records of a binary PCD as tuples, and its field names."""
    data = path.read_bytes()
    head, body = data.split(b"DATA binary\n", 1)
    fields = {line.split()[0]: line.split()[1:] for line in head.decode().splitlines()
              if line and not line.startswith("#")}
    letters = {("F", "4"): "f", ("U", "1"): "B", ("U", "2"): "H", ("U", "4"): "I"}
    record = struct.Struct("<" + "".join(letters[kind] for kind in zip(fields["TYPE"], fields["SIZE"])))
    count = int(fields["POINTS"][0])
    assert len(body) == count * record.size, (len(body), count, record.size)
    return [record.unpack_from(body, i * record.size) for i in range(count)], fields["FIELDS"]


def main():
    """Runs the tests; 77 (ctest: skipped) when every one of them was skipped."""
    program = unittest.main(exit=False, verbosity=2, module="__main__", warnings="ignore")
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    for _, reason in result.skipped:
        print(f"skipped: {reason}")
    sys.exit(77 if result.testsRun and len(result.skipped) == result.testsRun else 0)

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""Native clients that die, go deaf or meet a server that goes away: the books balance all the same."""

import signal
import socket
import subprocess
import time

from harness import LOAD, free_port, main, wait_until
from native_client import FRAME, NativeClient, header
from tcp_case import TcpTest


class Faults(TcpTest):
    def test_a_client_killed_in_the_middle_of_a_frame(self):
        server, port = self.start()
        client = NativeClient(port)
        self.assertIs(client.open(1, "alpha", 100_000), True)
        client.frame(1, b"whole" * 1000)
        client.wait_for_credit(1)
        client.send(header(FRAME, 1, 100_000, sequence=1) + b"torn" * 1000)
        client.socket.shutdown(socket.SHUT_WR)  # as a killed process does; what it sent still comes
        self.ended_by(client)
        again = NativeClient(port)
        wait_until(lambda: again.open(2, "alpha", 100_000) is True, "the name is free again")
        again.frame(2, b"next" * 1000)
        self.assertEqual(again.close_stream(2), (1, 0))
        again.goodbye()

        summary = server.stop()
        self.assert_books_balance(summary)
        frames = self.stream(summary, "alpha")["frames"]
        self.assertEqual((frames["completed"], frames["partial"], frames["delivered"]), (3, 1, 2))
        self.assertEqual(frames["dropped"]["aborted"], 1)

    def test_the_load_client_is_killed_and_started_again(self):
        server, port = self.start()
        for times in range(1, 4):
            victim = self.sender_of(port, "r")
            while server.text().count("stream opened name=r_0 ") < times:
                if victim.poll() is not None:  # refused: the server had not noticed yet that the last one is dead
                    victim = self.sender_of(port, "r")
                time.sleep(0.02)
            victim.kill()
            victim.wait()
        wait_until(lambda: self.load(port, "--frames", 5, "--name", "r", check=False).returncode == 0,
                   "the stream is free again")
        summary = server.stop()
        self.assert_books_balance(summary)
        self.assertGreaterEqual(self.stream(summary, "r_0")["frames"]["delivered"], 5)

    def sender_of(self, port, name):
        return subprocess.Popen(
            [LOAD, "--to", f"127.0.0.1:{port}", "--frame-bytes", "4MiB", "--rate", "0", "--duration", "0", "--name", name],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_for_stream(self, server, name):
        """Watches the log: asking for the name would take it from its sender."""
        wait_until(lambda: f"stream opened name={name} " in server.text(), f"the stream {name}")

    def test_a_client_that_stops_reading_holds_nobody_up(self):
        server, port = self.start()
        deaf = NativeClient(port)
        self.assertIs(deaf.open(1, "deaf", 100), True)
        deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.frame(1, b"x")
        for _ in range(3):
            self.assert_still_serves(port)
        deaf.drop()
        self.assert_books_balance(server.stop())

    def test_a_server_that_is_stopped_under_load_balances_its_books(self):
        server, port = self.start()
        report = self.folder / "report.json"
        client = subprocess.Popen(
            [LOAD, "--to", f"127.0.0.1:{port}", "--streams", "3", "--frame-bytes", "1MiB", "--rate", "0",
             "--duration", "60", "--report", str(report)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        self.wait_for_stream(server, "load_2")
        self.assert_books_balance(server.stop(signal.SIGINT))
        output, _ = client.communicate(timeout=60)
        self.assertEqual(client.returncode, 1, output)
        self.assertIn("shutting down", output)

    def test_a_load_client_without_a_server_says_so(self):
        done = self.load(free_port(), "--frames", 1, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot connect", done.stdout + done.stderr)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""The native protocol over TCP, spoken to the real server by the real load client and by a second
client that shares no code with it."""

import json
import os
import signal
import socket
import struct
import subprocess

from harness import LOAD, ProgramTest, free_port, main, wait_until
from native_client import (CLOSE, CREDIT, FRAME, HELLO, OPEN, Ended, NativeClient, header, message,
                           open_payload)


class TcpTest(ProgramTest):
    def start(self, *options, config="", host="127.0.0.1"):
        port = free_port()
        server = self.serve(
            f"device: host\nmemory: {{pinned_limit: 256MiB}}\nlisten: {{tcp: '{host}:{port}'}}\n{config}",
            *options)
        return server, port

    def ended_by(self, client):
        """The server's goodbye."""
        try:
            while True:
                client.receive()
        except Ended as end:
            return end
        except ConnectionError:
            return Ended(None, "reset")

    def assert_still_serves(self, port):
        client = NativeClient(port)
        self.assertIs(client.open(1, "witness", 64), True)
        client.frame(1, b"x" * 64)
        self.assertEqual(client.close_stream(1), (1, 0))
        client.goodbye()


class Frames(TcpTest):
    def test_an_independent_client_delivers_byte_for_byte(self):
        dump = self.folder / "dump"
        server, port = self.start("--dump", dump)
        frames = [bytes([n]) * (1000 + n) for n in range(20)]
        client = NativeClient(port)
        self.assertIs(client.open(7, "alpha", 4096), True)
        for n, payload in enumerate(frames):
            client.frame(7, payload, crc=n % 2 == 0)
        self.assertEqual(client.close_stream(7), (20, 0))
        client.goodbye()

        summary = server.stop()
        self.assert_books_balance(summary)
        stream = self.stream(summary, "alpha")
        self.assertEqual(stream["frames"]["delivered"], 20)
        self.assertEqual(stream["bytes"], {"received": sum(map(len, frames)), "copied_by_cpu": 0})
        files = sorted((dump / "alpha").glob("*.raw"))
        self.assertEqual([f.read_bytes() for f in files], frames)

    def test_the_load_client_sends_its_documented_pattern(self):
        dump = self.folder / "dump"
        server, port = self.start("--dump", dump)
        self.load(port, "--streams", 2, "--connections", 2, "--frame-bytes", 100_001, "--frames", 5,
                  "--rate", 0, "--crc", "--name", "p")
        self.assert_books_balance(server.stop())
        for index in range(2):
            for sequence, file in enumerate(sorted((dump / f"p_{index}").glob("*.raw"))):
                self.assertEqual(file.read_bytes(), pattern(index, sequence, 100_001), file)
            self.assertEqual(sequence, 4)

    def test_what_the_client_counts_the_server_counts(self):
        server, port = self.start()
        report = self.folder / "report.json"
        self.load(port, "--streams", 4, "--connections", 2, "--frame-bytes", "64KiB", "--rate", 0,
                  "--duration", 1, "--report", report)
        summary = server.stop()
        self.assert_books_balance(summary)
        for sent in json.loads(report.read_text())["streams"]:
            stream = self.stream(summary, sent["name"])
            self.assertGreater(sent["sent"], 0)
            self.assertEqual(stream["frames"]["delivered"], sent["sent"])
            self.assertEqual(stream["bytes"]["received"], sent["bytes"])

    def test_ipv6_clients_are_served(self):
        try:
            with socket.socket(socket.AF_INET6) as probe:
                probe.bind(("::1", 0))
        except OSError as error:
            self.skipTest(f"no IPv6 here: {error}")
        server, port = self.start(host="[::]")
        for host in ("::1", "127.0.0.1"):
            client = NativeClient(port, host)
            self.assertIs(client.open(1, f"from_{len(host)}", 100), True)
            client.frame(1, b"hello")
            self.assertEqual(client.close_stream(1), (1, 0))
            client.goodbye()
        self.load_v6(port)
        self.assert_books_balance(server.stop())

    def load_v6(self, port):
        done = subprocess.run([LOAD, "--to", f"[::1]:{port}", "--frames", "3", "--name", "v6"],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_image_that_is_sent_becomes_pixels(self):
        dump = self.folder / "dump"
        server, port = self.start("--dump", dump)
        client = NativeClient(port)
        self.assertIs(client.open(1, "cam", 4 * 2 * 2, "uyvy", 4, 2), True)
        client.frame(1, bytes([128, 235, 128, 16]) * 4)
        client.close_stream(1)
        client.goodbye()
        self.assert_books_balance(server.stop())
        self.assertEqual(len(list((dump / "cam").glob("*.png"))), 1)

    def test_a_bad_checksum_costs_the_frame_and_nothing_else(self):
        server, port = self.start()
        client = NativeClient(port)
        self.assertIs(client.open(1, "alpha", 4096), True)
        client.frame(1, b"good", crc=True)
        client.frame(1, b"evil", crc=True, payload_crc=12345)
        client.frame(1, b"good", crc=True)
        self.assertEqual(client.close_stream(1), (3, 1))
        client.goodbye()
        summary = server.stop()
        self.assert_books_balance(summary)
        frames = self.stream(summary, "alpha")["frames"]
        self.assertEqual((frames["delivered"], frames["dropped"]["crc_mismatch"]), (2, 1))

    def test_frames_that_the_sender_dropped_are_in_the_books(self):
        server, port = self.start()
        client = NativeClient(port)
        self.assertIs(client.open(1, "alpha", 4096), True)
        client.frame(1, b"one")
        client.frame(1, b"two", sequence=4, unsent=3)
        self.assertEqual(client.close_stream(1, unsent=5), (2, 0))
        client.goodbye()
        summary = server.stop()
        self.assert_books_balance(summary)
        self.assertEqual(self.stream(summary, "alpha")["frames"]["unsent"], 5)


class Opening(TcpTest):
    def test_declared_streams_only_when_the_file_says_so(self):
        _, port = self.start(config="")
        port2 = free_port()
        server = self.serve(f"listen: {{tcp: '127.0.0.1:{port2}', streams: declared}}\n"
                            "streams:\n  - {name: alpha, format: raw}\n")
        client = NativeClient(port2)
        self.assertIn("beta", client.open(1, "beta", 100))
        self.assertIs(client.open(2, "alpha", 100), True)
        client.goodbye()
        self.assert_books_balance(server.stop())

    def test_a_name_in_use_is_refused_and_free_again_afterwards(self):
        _, port = self.start()
        first, second = NativeClient(port), NativeClient(port)
        self.assertIs(first.open(1, "alpha", 100), True)
        self.assertIn("alpha", second.open(1, "alpha", 100))
        first.close_stream(1)
        self.assertIs(second.open(2, "alpha", 100), True)

    def test_more_memory_than_there_is_is_refused_with_the_sum(self):
        _, port = self.start()
        client = NativeClient(port)
        text = client.open(1, "huge", 4 << 30)
        self.assertIn("huge needs", text)
        self.assertIn("memory.pinned_limit", text)
        self.assertIs(client.open(2, "small", 100), True)


class HostilePeers(TcpTest):
    """Each breaks one rule: it costs its sender the session, with the reason, and nobody else."""

    def broken(self, port, data, greet=True):
        client = NativeClient(port, hello=greet)
        if greet:
            self.assertIs(client.open(1, "victim", 1000), True)
            while not client.credit:
                client.receive()
        client.send(data)
        end = self.ended_by(client)
        client.socket.close()
        return end

    def test_a_header_with_each_field_out_of_range(self):
        server, port = self.start()
        f = {"payload_bytes": 4, "stream": 1}
        cases = {
            "magic": (header(FRAME, **f, magic=1), "bad_magic"),
            "version": (header(FRAME, **f, version=9), "bad_version"),
            "type zero": (header(0, **f), "bad_type"),
            "type unknown": (header(11, **f), "bad_type"),
            "type of a server": (message(CREDIT, 1, bytes(8)), "bad_type"),
            "a second hello": (message(HELLO, 0, bytes([1, 0, 1, 0, 0, 0, 0, 0])), "bad_type"),
            "flags": (header(FRAME, **f, flags=0x8000), "bad_flags"),
            "payload crc without its flag": (header(FRAME, **f, payload_crc=1), "bad_flags"),
            "stream zero": (header(FRAME, 0, 4), "bad_stream"),
            "stream unknown": (header(FRAME, 99, 4), "bad_stream"),
            "payload empty": (header(FRAME, 1, 0), "bad_payload_bytes"),
            "payload over what was agreed": (header(FRAME, 1, 1001), "bad_payload_bytes"),
            "payload absurd": (header(FRAME, 1, 2**64 - 1), "bad_payload_bytes"),
            "control payload too long": (header(OPEN, 2, 4097), "bad_payload_bytes"),
            "sequence jumps": (header(FRAME, **f, sequence=5), "bad_sequence"),
            "sequence at its end": (header(FRAME, **f, sequence=2**64 - 1), "bad_sequence"),
            "counts that overflow": (header(FRAME, **f, sequence=2**64 - 1, unsent=2**64 - 1), "bad_sequence"),
            "close with counts that overflow": (message(CLOSE, 1, struct.pack("<QQ", 0, 2**64 - 1)), "bad_payload"),
            "unsent without a gap": (header(FRAME, **f, unsent=3), "bad_sequence"),
            "sensor time": (header(FRAME, **f, sensor_time_ns=-2), "bad_sensor_time"),
            "reserved": (header(FRAME, **f, reserved=b"\1" + bytes(11)), "bad_reserved"),
            "header crc": (header(FRAME, **f, header_crc=0), "bad_header_crc"),
            "close of another stream": (message(CLOSE, 9, bytes(16)), "bad_stream"),
            "close with wrong counts": (message(CLOSE, 1, struct.pack("<QQ", 7, 0)), "7 sent"),
            "open twice": (message(OPEN, 1, open_payload("other", 10)), "bad_stream"),
            "open without a name": (message(OPEN, 2, open_payload("", 10)), "bad_payload"),
            "open with a path": (message(OPEN, 2, open_payload("../../etc", 10)), "bad_payload"),
            "open with an absurd name": (message(OPEN, 2, open_payload("x", 10, name_bytes=999)), "bad_payload"),
            "open of an unknown kind": (message(OPEN, 2, open_payload("x", 10, kind=77)), "bad_payload"),
            "open of an image without size": (message(OPEN, 2, open_payload("x", 10, "uyvy")), "bad_payload"),
            "open of nothing": (message(OPEN, 2, open_payload("x", 0)), "bad_payload"),
        }
        for what, (data, reason) in cases.items():
            with self.subTest(what):
                self.assertIn(reason, self.broken(port, data).text)
        self.assert_still_serves(port)
        self.assert_books_balance(server.stop())

    def test_frames_without_credit_are_refused(self):
        server, port = self.start()
        client = NativeClient(port)
        self.assertIs(client.open(1, "greedy", 100, slots=2), True)
        # More than any credit: the server decodes at once, so its grants must be outrun in one go.
        client.send(b"".join(message(FRAME, 1, b"x" * 100, sequence=n) for n in range(5000)))
        end = self.ended_by(client)
        self.assertIn("without credit", end.text)
        self.assert_still_serves(port)
        self.assert_books_balance(server.stop())

    def test_garbage_and_silence_cost_nobody_else_anything(self):
        server, port = self.start()
        for data in (os.urandom(100_000), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 10, bytes(64), b"x"):
            client = NativeClient(port, hello=False)
            try:
                client.send(data)
                client.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            self.ended_by(client)
        silent = NativeClient(port, hello=False)
        self.assert_still_serves(port)
        self.assertIn("no hello", self.ended_by(silent).text)
        self.assert_books_balance(server.stop())

    def test_a_version_that_it_does_not_speak_is_refused_in_words(self):
        _, port = self.start()
        client = NativeClient(port, hello=False)
        client.send(message(HELLO, payload=struct.pack("<HHI", 7, 9, 0)))
        kind, _, payload = client.receive()
        self.assertEqual(kind, 5)
        self.assertIn("version", payload[4:].decode())

    def test_a_thousand_connections_that_leave_at_once(self):
        server, port = self.start()
        before = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        for n in range(1000):
            client = NativeClient(port, hello=n % 2 == 0)
            client.drop() if n % 3 else client.socket.close()
        self.assert_still_serves(port)
        wait_until(lambda: len(os.listdir(f"/proc/{server.process.pid}/fd")) <= before + 2,
                   "the descriptors of those who left")
        self.assert_books_balance(server.stop())


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
        for _ in range(3):
            victim = subprocess.Popen(
                [LOAD, "--to", f"127.0.0.1:{port}", "--frame-bytes", "4MiB", "--rate", "0",
                 "--duration", "0", "--name", "r"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            watcher = self.counted(server, port)
            victim.kill()
            victim.wait()
            self.assertTrue(watcher)
        wait_until(lambda: self.load(port, "--frames", 5, "--name", "r", check=False).returncode == 0,
                   "the stream is free again")
        summary = server.stop()
        self.assert_books_balance(summary)
        self.assertGreaterEqual(self.stream(summary, "r_0")["frames"]["delivered"], 5)

    def counted(self, server, port):
        """Waits until the load client's stream is open, seen from outside: its name is taken."""
        probe = NativeClient(port)
        wait_until(lambda: "another session" in str(self.try_name(probe)), "the load client's stream")
        probe.goodbye()
        return True

    def try_name(self, probe):
        number = len(probe.sent) + 1
        answer = probe.open(number, "r_0", 4 << 20)
        if answer is True:
            probe.close_stream(number)
        return answer

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
        self.wait_for_name(port, "load_2")
        self.assert_books_balance(server.stop(signal.SIGINT))
        output, _ = client.communicate(timeout=60)
        self.assertEqual(client.returncode, 1, output)
        self.assertIn("shutting down", output)

    def wait_for_name(self, port, name):
        probe = NativeClient(port)

        def taken():
            number = len(probe.sent) + 1
            answer = probe.open(number, name, 100)
            if answer is True:
                probe.close_stream(number)
            return answer is not True
        wait_until(taken, f"the stream {name}")
        probe.goodbye()

    def test_a_load_client_without_a_server_says_so(self):
        done = self.load(free_port(), "--frames", 1, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot connect", done.stdout + done.stderr)


def pattern(stream, sequence, size):
    """client/pattern.hpp, from its description."""
    ones = 2**64 - 1

    def mix(n):
        z = n * 0x9E3779B97F4A7C15 & ones
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & ones
        z = (z ^ z >> 27) * 0x94D049BB133111EB & ones
        return z ^ z >> 31
    begin = mix((stream << 32) + sequence) % 65536
    words = (size + 7) // 8
    return struct.pack(f"<{words}Q", *(mix(begin + i + 1) for i in range(words)))[:size]


if __name__ == "__main__":
    main()

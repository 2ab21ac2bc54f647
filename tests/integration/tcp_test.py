#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""The native protocol over TCP, spoken to the real server by the real load client and by a second
client that shares no code with it."""

import json
import socket
import struct
import subprocess

from harness import LOAD, free_port, main
from native_client import NativeClient
from tcp_case import TcpTest


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

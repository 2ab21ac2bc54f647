#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""Peers that break the rules of the native protocol, or never meant to keep them."""

import os
import socket
import struct

from harness import main, wait_until
from native_client import CLOSE, CREDIT, FRAME, HELLO, OPEN, NativeClient, header, message, open_payload
from tcp_case import TcpTest


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


if __name__ == "__main__":
    main()

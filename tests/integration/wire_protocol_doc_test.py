#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""The example of docs/wire-protocol.md, played against the real server byte for byte."""

import re
import socket
import struct

from harness import ROOT, ProgramTest, free_port, main

CREDIT = 6


def example():
    """[(who, bytes)] of the page."""
    page = (ROOT / "docs/wire-protocol.md").read_text()
    block = page.split("## An example")[1].split("```")[1]
    messages = []
    for line in block.splitlines():
        if re.match(r"[CS]  ", line):
            messages.append((line[0], b""))
        elif line.strip():
            messages[-1] = (messages[-1][0], messages[-1][1] + bytes.fromhex(line))
    return messages


class Example(ProgramTest):
    def exactly(self, peer, count):
        data = b""
        while len(data) < count:
            part = peer.recv(count - len(data))
            self.assertTrue(part, f"the connection ended after {data.hex()}")
            data += part
        return data

    def receive(self, peer):
        head = self.exactly(peer, 64)
        return head + self.exactly(peer, struct.unpack_from("<Q", head, 16)[0])

    def test_every_byte_is_as_the_page_says(self):
        port = free_port()
        server = self.serve(f"device: host\nlisten: {{tcp: '127.0.0.1:{port}'}}\nmemory: {{pinned_limit: 64MiB}}\n")
        messages = example()
        self.assertEqual([who for who, _ in messages], list("CSCSSCCSC"))
        with socket.create_connection(("127.0.0.1", port), timeout=30) as peer:
            for who, data in messages:
                if who == "C":
                    peer.sendall(data)
                    continue
                got = self.receive(peer)
                while got[5] == CREDIT and data[5] != CREDIT:  # the slot that came back meanwhile
                    got = self.receive(peer)
                self.assertEqual(got.hex(" "), data.hex(" "))
        summary = server.stop()
        self.assert_books_balance(summary)
        self.assertEqual(self.stream(summary, "a")["frames"]["delivered"], 1)


if __name__ == "__main__":
    main()

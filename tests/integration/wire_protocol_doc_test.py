#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""The worked example in docs/wire-protocol.md, byte for byte against the real server."""

import re

from harness import ROOT, ProgramTest, free_port, main
from native_client import CREDIT, FRAME, NativeClient, crc32c

PAGE = ROOT / "docs/wire-protocol.md"


def example():
    """The messages of the page's hex dump: [(who, what, bytes)]."""
    block = re.search(r"^```hexdump\n(.*?)^```", PAGE.read_text(), re.M | re.S)[1]
    messages = []
    for line in block.splitlines():
        if spoken := re.fullmatch(r"(client|server) (.+)", line):
            messages.append((spoken[1], spoken[2], bytearray()))
        elif row := re.fullmatch(r"  ([0-9a-f]{4})  ((?:[0-9a-f]{2} ?)+)", line):
            data = messages[-1][2]
            assert int(row[1], 16) == len(data), f"offset of the row {line!r}"
            data += bytes.fromhex(row[2])
        else:
            assert not line, f"neither a message nor a row: {line!r}"
    return [(who, what, bytes(data)) for who, what, data in messages]


class Example(ProgramTest):
    def test_the_server_answers_as_the_page_says(self):
        port = free_port()
        server = self.serve("device: host\nmemory: {pinned_limit: 256MiB}\n"
                            f"listen: {{tcp: '127.0.0.1:{port}'}}\n")
        client = NativeClient(port, hello=False)
        messages = example()
        self.assertGreaterEqual(len(messages), 8)
        for who, what, data in messages:
            with self.subTest(f"{who} {what}"):
                if who == "client":
                    client.send(data)
                else:
                    self.assertEqual(client._exactly(len(data)).hex(" "), data.hex(" "))
        self.assertEqual(client.socket.recv(1), b"", "the server closes after our goodbye")

        summary = server.stop()
        self.assert_books_balance(summary)
        frames = self.stream(summary, "alpha")["frames"]
        self.assertEqual((frames["delivered"], frames["unsent"]), (2, 1))

    def test_the_example_shows_every_type_but_refused(self):
        self.assertEqual({data[5] for _, _, data in example()}, set(range(1, 11)) - {5})
        self.assertTrue(any(data[5] == FRAME and data[6] == 1 for _, _, data in example()))
        self.assertTrue(any(data[5] == CREDIT for _, _, data in example()))

    def test_the_page_tells_the_check_value_of_its_checksum(self):
        self.assertIn(f"0x{crc32c(b'123456789'):08X}", PAGE.read_text())


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the native protocol share."""

from harness import ProgramTest, free_port
from native_client import Ended, NativeClient


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

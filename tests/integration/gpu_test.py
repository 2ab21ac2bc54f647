#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""The same input through the host device and through a GPU, mapped and copied: the same bytes."""

import os
import unittest

from harness import ProgramTest, free_port, main
from native_client import NativeClient

WAYS = {"host": "device: host\n", "mapped": "device: cuda\n", "copied": "device: cuda\ndelivery: copied\n"}
LIMIT = "memory: {pinned_limit: 1GiB}\n"


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


@unittest.skipUnless(os.path.exists("/dev/nvidiactl"), "no NVIDIA GPU on this machine")
class SameAnswer(ProgramTest):
    def assert_same(self, dumps):
        self.assertGreater(len(dumps["host"]), 0)
        for way in ("mapped", "copied"):
            self.assertEqual(sorted(dumps[way]), sorted(dumps["host"]), way)
            for name, data in dumps["host"].items():
                self.assertEqual(dumps[way][name] == data, True, f"{way}: {name} differs")

    def test_clouds_of_real_captures(self):
        for capture in ("velodyne/vlp16.pcap", "velodyne/mrpt_vlp16_gps.pcap"):
            dumps = {}
            for way, device in WAYS.items():
                dump = self.folder / f"{way}-{capture.replace('/', '-')}"
                server, code = self.replay(self.capture(capture), "--dump", dump, config=(
                    device + LIMIT +
                    "streams:\n  - {name: lidar_top, format: velodyne_vlp16, udp: {port: 2368}, checksum: true}\n"))
                self.assertEqual(code, 0, server.text())
                summary = server.summary()
                self.assert_books_balance(summary)
                delivery = self.stream(summary, "lidar_top")["delivery"]
                self.assertEqual(set(delivery), {"mapped" if way == "host" else way})
                print(way, capture, self.stream(summary, "lidar_top")["latency_us"])
                dumps[way] = contents(dump)
            self.assert_same(dumps)

    def test_images_of_every_kind_and_odd_sizes(self):
        dumps = {}
        for way, device in WAYS.items():
            dump = self.folder / way
            port = free_port()
            server = self.serve(device + LIMIT + f"listen: {{tcp: '127.0.0.1:{port}'}}\n", "--dump", dump)
            client = NativeClient(port)
            for number, (kind, width, height) in enumerate(
                    (k, w, h) for k in ("bayer_rg8", "bayer_gr8", "bayer_gb8", "bayer_bg8", "uyvy")
                    for w, h in ((2, 2), (640, 481), (1920, 1080))):
                size = width * height * (2 if kind == "uyvy" else 1)
                self.assertIs(client.open(number + 1, f"{kind}-{width}", size, kind, width, height), True)
                for n in range(3):
                    seed = bytes((i * i * 7 + i * n + n) % 256 for i in range(4096))
                    client.frame(number + 1, (seed * (size // 4096 + 1))[:size])
                self.assertEqual(client.close_stream(number + 1), (3, 0))
            client.goodbye()
            summary = server.stop()
            self.assert_books_balance(summary)
            dumps[way] = contents(dump)
        self.assert_same(dumps)

    def test_the_load_client_at_full_speed(self):
        for way, device in WAYS.items():
            port = free_port()
            server = self.serve(device + LIMIT + f"listen: {{tcp: '127.0.0.1:{port}'}}\n")
            result = self.load(port, "--streams", 4, "--connections", 4, "--frame-bytes", "4MiB",
                               "--rate", 0, "--duration", 5)
            summary = server.stop()
            self.assert_books_balance(summary)
            print(way, result.stdout)
            print(way, [s["latency_us"] for s in summary["streams"]])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""Lidar packets over the network: the same capture gives the same frames live and replayed."""

import json
import os
import shutil
import socket
import subprocess
import time

from harness import LOAD, ProgramTest, free_port, main, wait_until

CAPTURE = "velodyne/vlp16.pcap"


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*")) if path.suffix in (".pcd", ".raw")}


def config(address="127.0.0.1", port=2368):
    return ("device: host\nmemory: {pinned_limit: 256MiB}\nstreams:\n  - {name: lidar_top, format: velodyne_vlp16, "
            f"slots: 32, udp: {{address: '{address}', port: {port}, position_port: 0}}}}\n")


class Live(ProgramTest):
    def replayed(self):
        dump = self.folder / "replayed"
        server, code = self.replay(self.capture(CAPTURE), "--dump", dump)
        self.assertEqual(code, 0, server.text())
        return contents(dump / "lidar_top")

    def test_a_capture_that_the_client_sends_gives_the_frames_of_its_replay(self):
        expected = self.replayed()
        dump = self.folder / "live"
        server = self.serve(config(), "--dump", dump)
        sent = subprocess.run([LOAD, "--to", "127.0.0.1", "--replay", str(self.capture(CAPTURE)), "--pace", "recorded"],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(sent.returncode, 0, sent.stdout + sent.stderr)
        self.assertIn("603 datagrams", sent.stdout)
        wait_until(lambda: len(contents(dump / "lidar_top")) == len(expected), "the last frame, after the silence")
        summary = server.stop()
        self.assert_books_balance(summary)
        stream = self.stream(summary, "lidar_top")
        self.assertEqual(stream["packets"]["received"], 603)
        self.assertEqual(stream["packets"]["lost"], 0)
        self.assertEqual(stream["bytes"], {"received": 727218, "copied_by_cpu": 0})
        self.assertEqual(contents(dump / "lidar_top"), expected)

    def test_a_sensor_that_stops_in_mid_turn_leaves_a_partial_frame(self):
        server = self.serve(config())
        packets = self.capture(CAPTURE).read_bytes()
        size = (len(packets) - 24) // 603
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sensor:
            for n in range(200):
                sensor.sendto(packets[24 + size * n:24 + size * (n + 1)][-1206:], ("127.0.0.1", 2368))
                time.sleep(0.0005)
        summary = server.stop()
        self.assert_books_balance(summary)
        frames = self.stream(summary, "lidar_top")["frames"]
        self.assertEqual((frames["completed"], frames["partial"]), (2, 1))

    def test_packets_that_are_left_out_are_counted_as_lost(self):
        server = self.serve(config())
        packets = self.capture(CAPTURE).read_bytes()
        size = (len(packets) - 24) // 603
        left_out = {50, 51, 230, 390}  # at four azimuths: no limited field of view
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sensor:
            for n in range(603):
                if n not in left_out:
                    sensor.sendto(packets[24 + size * n:24 + size * (n + 1)][-1206:], ("127.0.0.1", 2368))
                    time.sleep(0.0005)
        summary = server.stop()
        self.assert_books_balance(summary)
        stream = self.stream(summary, "lidar_top")
        self.assertEqual(stream["packets"]["received"], 603 - len(left_out))
        self.assertEqual(stream["packets"]["lost"], len(left_out))

    def test_the_synthetic_rig_arrives_whole(self):
        port = free_port()
        server = self.serve(config() + f"listen: {{tcp: '127.0.0.1:{port}'}}\n")
        report = self.folder / "report.json"
        rig = self.folder / "sensors.yaml"
        rig.write_text("sensors:\n  - {name: lidar_top, type: vlp16, udp: {port: 2368, position_port: 0}}\n"
                       "  - {name: camera, type: camera, format: uyvy, width: 640, height: 480, hz: 20}\n"
                       "  - {name: imu, type: imu, hz: 500, samples_per_frame: 5}\n")
        self.load(port, "--rig", rig, "--duration", 2, "--on-no-credit", "wait", "--crc", "--report", report)
        summary = server.stop()
        self.assert_books_balance(summary)
        for sent in json.loads(report.read_text())["streams"]:
            stream = self.stream(summary, sent["name"])
            got = stream["packets" if sent["transport"] == "udp" else "frames"]
            self.assertEqual(got.get("received", got.get("delivered")), sent["sent"], sent)
        self.assertEqual(self.stream(summary, "lidar_top")["packets"]["lost"], 0)

    def test_a_rig_file_with_mistakes_names_them_all(self):
        rig = self.folder / "sensors.yaml"
        rig.write_text("sensors:\n  - {name: a, type: lidar}\n  - {name: a b, type: imu, hz: fast}\n"
                       "  - {name: c, type: camera, width: 3, colour: red}\n")
        done = subprocess.run([LOAD, "--to", "127.0.0.1", "--rig", str(rig)], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 2, done.stdout)
        for words in ("sensors.yaml:2:", "vlp16", "sensors.yaml:3:", "hz", "width", "colour"):
            self.assertIn(words, done.stderr)


class Replayed(ProgramTest):
    """By tcpreplay, over a pair of virtual Ethernet devices between two network namespaces."""

    def setUp(self):
        super().setUp()
        for tool in ("tcpreplay", "tcprewrite", "ip"):
            if not shutil.which(tool):
                self.skipTest(f"{tool} is not installed")
        self.names = [f"penstock{os.getpid()}{end}" for end in "ab"]
        self.sensor, self.host = (f"ps{os.getpid() % 100000}{end}" for end in "ab")
        if os.geteuid() != 0 or self.ip("netns", "add", self.names[0], check=False):
            self.skipTest("network namespaces need root, and a sandbox that allows them")

    def tearDown(self):
        super().tearDown()
        for name in self.names:
            self.ip("netns", "del", name, check=False)

    def ip(self, *words, check=True):
        return subprocess.run(["ip", *words], capture_output=True, check=check).returncode

    def test_tcpreplay_gives_the_frames_of_the_replay(self):
        dump = self.folder / "replayed"
        server, code = self.replay(self.capture(CAPTURE), "--dump", dump)
        self.assertEqual(code, 0, server.text())
        expected = contents(dump / "lidar_top")
        self.ip("netns", "add", self.names[1])
        if self.ip("link", "add", self.sensor, "netns", self.names[0], "type", "veth", "peer", "name", self.host,
                   "netns", self.names[1], check=False):
            self.skipTest("no virtual Ethernet devices here")
        self.ip("-n", self.names[0], "link", "set", self.sensor, "up")
        self.ip("-n", self.names[1], "addr", "add", "10.77.0.2/24", "dev", self.host)
        self.ip("-n", self.names[1], "link", "set", self.host, "up")
        self.ip("-n", self.names[1], "link", "set", "lo", "up")
        mac = subprocess.run(["ip", "netns", "exec", self.names[1], "cat", f"/sys/class/net/{self.host}/address"],
                             capture_output=True, text=True, check=True).stdout.strip()
        rewritten = self.folder / "rewritten.pcap"
        subprocess.run(["tcprewrite", "--infile", str(self.capture(CAPTURE)), "--outfile", str(rewritten),
                        "--dstipmap=0.0.0.0/0:10.77.0.2/32", f"--enet-dmac={mac}", "--fixcsum"],
                       check=True, capture_output=True)

        live = self.folder / "live"
        server = self.serve(config("10.77.0.2"), "--dump", live, prefix=("ip", "netns", "exec", self.names[1]))
        subprocess.run(["ip", "netns", "exec", self.names[0], "tcpreplay", "-q", f"--intf1={self.sensor}",
                        str(rewritten)], check=True, capture_output=True, timeout=60)
        wait_until(lambda: len(contents(live / "lidar_top")) >= len(expected), "the last frame")
        summary = server.stop()
        self.assert_books_balance(summary)
        self.assertEqual(self.stream(summary, "lidar_top")["packets"]["received"], 603)
        self.assertEqual(contents(live / "lidar_top"), expected)


if __name__ == "__main__":
    main()

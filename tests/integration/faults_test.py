#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""What is asked for and cannot be had: one clear line, and an exit code that says so."""

import os
import shutil
import signal
import socket
import subprocess
import time

from harness import SERVER, ProgramTest, free_port, main

LIDAR = "streams:\n  - {{name: lidar_top, format: velodyne_vlp16, udp: {{port: {port}, position_port: 0}}}}\n"


class Configuration(ProgramTest):
    def check(self, text):
        path = self.folder / "rig.yaml"
        path.write_text(text)
        return path, subprocess.run([SERVER, "check", "-c", str(path)], capture_output=True, text=True,
                                    timeout=60, check=False)

    def test_every_violation_is_reported_at_once_with_its_place(self):
        path, result = self.check(
            "device: hots\nmemory: {pinned_limit: 12 parsecs}\nstreams:\n"
            "  - {name: a, format: velodyne_vlp16, udp: {port: 70000}}\n  - {name: a, formt: raw}\n")

        self.assertEqual(result.returncode, 2)
        for place in (":1:9 device", ":2:", ":4:", "streams[1].formt"):
            self.assertIn(place, result.stderr)
        self.assertGreaterEqual(result.stderr.count(f"{path}:"), 5, result.stderr)

    def test_a_good_file_is_called_good(self):
        _, result = self.check("device: host\n" + LIDAR.format(port=2368))
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_missing_file_is_named(self):
        result = subprocess.run([SERVER, "serve", "-c", str(self.folder / "nowhere.yaml")],
                                capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("nowhere.yaml", result.stderr)


class StartUp(ProgramTest):
    def refused(self, config, *options, prefix=()):
        server = self.serve(config, *options, wait_for=None, prefix=prefix)
        code = server.wait()
        self.assertNotEqual(code, 0, server.text())
        self.assertGreater(code, 0, f"ended by a signal:\n{server.text()}")
        return server.text()

    def test_a_busy_udp_port_is_named(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
            taken.bind(("0.0.0.0", 0))
            port = taken.getsockname()[1]
            self.assertIn(str(port), self.refused(LIDAR.format(port=port)))

    def test_a_busy_tcp_port_is_named(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.assertIn(str(port), self.refused(f"listen: {{tcp: '127.0.0.1:{port}'}}\n"))

    def test_a_gpu_where_there_is_none_is_an_error_with_a_remedy(self):
        if os.path.exists("/dev/nvidiactl"):
            self.skipTest("this machine has a GPU")
        text = self.refused("device: cuda\n" + LIDAR.format(port=free_port(socket.SOCK_DGRAM)))
        self.assertIn("device: host", text)

    def test_more_streams_than_memory_are_refused_with_the_sum(self):
        text = self.refused("memory: {pinned_limit: 1MiB}\n" + LIDAR.format(port=2368))
        self.assertIn("pinned_limit", text)
        self.assertIn("lidar_top", text)

    def test_a_memlock_limit_that_is_too_low_is_named_with_the_ways_to_raise_it(self):
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("needs root and setpriv to give up CAP_IPC_LOCK")
        os.chmod(self.folder, 0o777)
        text = self.refused(
            "memory: {pinned_limit: 64MiB}\n" + LIDAR.format(port=free_port(socket.SOCK_DGRAM)),
            prefix=("prlimit", "--memlock=65536:65536", "setpriv", "--bounding-set=-ipc_lock",
                    "--inh-caps=-ipc_lock"))
        for words in ("RLIMIT_MEMLOCK", "ulimit -l", "LimitMEMLOCK", "--ulimit memlock", "Kubernetes"):
            self.assertIn(words, text)


class Output(ProgramTest):
    """Where the results go, when they cannot go there."""

    def replayed(self, *options):
        config = self.folder / "rig.yaml"
        config.write_text("memory: {lock: false}\n" + LIDAR.format(port=2368))
        done = subprocess.run(
            [SERVER, "serve", "-c", config, "--replay", self.capture("velodyne/vlp16.pcap"), "--pace", "max",
             *map(str, options)], capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_a_folder_that_cannot_be_written_is_named(self):
        file = self.folder / "file"
        file.write_text("not a folder")
        for option in ("--dump", "--report"):
            code, text = self.replayed(option, file / "x")
            self.assertEqual(code, 1, text)
            self.assertIn(f"{option} {file}", text)

    def test_a_summary_that_cannot_be_written_is_an_error(self):
        for path, why in (("/dev/full", "No space left"), (self.folder / "nowhere/x.json", "No such file")):
            code, text = self.replayed("--summary", path)
            self.assertEqual(code, 1, text)
            self.assertIn(why, text)

    def test_a_summary_can_go_to_standard_output_and_leaves_devices_alone(self):
        code, text = self.replayed("--summary", "/dev/stdout")
        self.assertEqual(code, 0, text)
        self.assertIn('"books_balanced": true', text)
        link = self.folder / "link.json"
        link.symlink_to(self.folder / "target.json")
        self.assertEqual(self.replayed("--summary", link)[0], 0)
        self.assertTrue(link.is_symlink())

    def test_a_disk_that_fills_up_is_said_and_the_books_balance(self):
        tiny = self.folder / "tiny"
        tiny.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", tiny], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("a small file system to fill needs the right to mount one")
        try:
            server, code = self.replay(self.capture("velodyne/vlp16.pcap"), "--dump", tiny / "dump")
            self.assertEqual(code, 1, server.text())
            self.assertIn("No space left on device", server.text())
            self.assert_books_balance(server.summary())
        finally:
            subprocess.run(["umount", tiny], check=True)


class Signals(ProgramTest):
    def test_the_first_signal_drains_and_exits_0(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                server = self.serve(LIDAR.format(port=free_port(socket.SOCK_DGRAM)))
                self.assert_books_balance(server.stop(number))

    def test_the_second_signal_ends_at_once(self):
        # A recorder on a folder that never takes a file would hold the drain; a stopped process
        # holds it just as well and needs no trick: both signals are pending when it goes on.
        server = self.serve(LIDAR.format(port=free_port(socket.SOCK_DGRAM)))
        server.process.send_signal(signal.SIGSTOP)
        server.process.send_signal(signal.SIGINT)
        server.process.send_signal(signal.SIGTERM)
        server.process.send_signal(signal.SIGCONT)
        began = time.monotonic()
        code = server.wait()
        self.assertIn(code, (128 + signal.SIGTERM, 128 + signal.SIGINT), server.text())
        self.assertLess(time.monotonic() - began, 30)


if __name__ == "__main__":
    main()

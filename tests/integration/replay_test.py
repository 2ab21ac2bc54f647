#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""Captures through `serve --replay`, against answers that others computed."""

import math
import struct

from harness import ProgramTest, main, read_pcd


class Vlp16(ProgramTest):
    def test_every_packet_of_a_clean_capture_is_accounted_for(self):
        server, code = self.replay(self.capture("velodyne/vlp16.pcap"))

        self.assertEqual(code, 0, server.text())
        summary = server.summary()
        self.assert_books_balance(summary)
        stream = self.stream(summary, "lidar_top")
        self.assertEqual(stream["packets"]["received"], 603)
        self.assertEqual(stream["packets"]["lost"], 0)
        self.assertEqual(stream["bytes"], {"received": 727218, "copied_by_cpu": 0})
        self.assertEqual(stream["frames"]["completed"], 5)
        self.assertEqual(stream["frames"]["partial"], 1)
        self.assertEqual(stream["delivery"], {"mapped": 5})

    def test_points_equal_the_reference_cloud(self):
        dump = self.folder / "dump"
        reference, _ = read_pcd(self.capture("velodyne/1673400472138016708.vlp16.pcd"))
        server, code = self.replay(self.capture("velodyne/vlp16.pcap"), "--dump", dump)
        self.assertEqual(code, 0, server.text())

        clouds = [read_pcd(path) for path in sorted((dump / "lidar_top").glob("*.pcd"))]
        self.assertEqual(clouds[0][1], ["x", "y", "z", "intensity", "ring", "time", "return"])
        best = max(share_found(reference, points) for points, _ in clouds)

        self.assertEqual(best, 1.0)

    def test_a_dump_holds_the_payload_as_it_came(self):
        dump = self.folder / "dump"
        capture = self.capture("velodyne/vlp16.pcap")
        server, code = self.replay(capture, "--dump", dump)
        self.assertEqual(code, 0, server.text())

        packets = payloads(capture)
        seen = set()
        for raw in (dump / "lidar_top").glob("*.raw"):
            data = raw.read_bytes()
            self.assertEqual(len(data) % 1206, 0)
            seen.update(data[i:i + 1206] for i in range(0, len(data), 1206))
        self.assertEqual(seen, set(packets))

    def test_position_packets_are_recognised_and_nothing_is_lost(self):
        dump = self.folder / "dump"
        server, code = self.replay(self.capture("velodyne/mrpt_vlp16_gps.pcap"), "--dump", dump)

        self.assertEqual(code, 0, server.text())
        summary = server.summary()
        self.assert_books_balance(summary)
        stream = self.stream(summary, "lidar_top")
        self.assertEqual(stream["frames"]["delivered"], 4)
        self.assertEqual(len(list((dump / "lidar_top").glob("*.pcd"))), 4)
        self.assertEqual(stream["packets"]["side"], 57)
        self.assertEqual(stream["packets"]["received"], 293 + 57)
        self.assertEqual(stream["packets"]["lost"], 0)


class WrongInput(ProgramTest):
    def test_packets_of_the_wrong_sensor_are_counted_and_named(self):
        server, _ = self.replay(self.capture("ouster/VLI-16-one-packet.pcap"))

        summary = server.summary()
        self.assert_books_balance(summary)
        stream = self.stream(summary, "lidar_top")
        self.assertEqual(stream["packets"]["rejected"]["unexpected_length"], 1)
        self.assertEqual(stream["frames"]["completed"], 0)
        self.assertIn("unexpected_length", server.text())

    def test_a_capture_without_the_streams_port_is_a_failure_that_names_what_is_there(self):
        server, code = self.replay(self.capture("velodyne/vlp16.pcap"), port=2400)

        self.assertEqual(code, 1, server.text())
        self.assertIn("2400", server.text())
        self.assertIn("2368", server.text())

    def test_a_truncated_capture_plays_what_is_there_and_fails(self):
        cut = self.folder / "cut.pcap"
        cut.write_bytes(self.capture("velodyne/vlp16.pcap").read_bytes()[:400_000])
        server, code = self.replay(cut)

        self.assertEqual(code, 1, server.text())
        self.assertIn("truncated", server.text())
        summary = server.summary()
        self.assert_books_balance(summary)
        self.assertGreater(self.stream(summary, "lidar_top")["packets"]["received"], 300)

    def test_files_that_are_no_captures_fail_with_one_clear_line(self):
        for name, content in {"empty": b"", "text": b"hello, world\n" * 100, "zeros": bytes(4096)}.items():
            with self.subTest(name):
                path = self.folder / name
                path.write_bytes(content)
                server, code = self.replay(path)
                self.assertEqual(code, 1, server.text())
                self.assertIn(str(path), server.text())
        server, code = self.replay(self.folder / "nowhere.pcap")
        self.assertEqual(code, 1, server.text())
        self.assertIn("nowhere.pcap", server.text())


def payloads(capture):
    data, offset, found = capture.read_bytes(), 24, []
    while offset < len(data):
        length = struct.unpack_from("<I", data, offset + 8)[0]
        found.append(data[offset + 16 + length - 1206:offset + 16 + length])
        offset += 16 + length
    return found


def share_found(reference, points):
    """Of the reference's points, how many have a twin: ring and intensity exact, distance within
    the float's rounding, position within 5 cm (the reference interpolates some blocks otherwise)."""
    by_key = {}
    for x, y, z, intensity, ring, _, _ in points:
        by_key.setdefault((ring, int(intensity), round(math.sqrt(x * x + y * y + z * z) * 500)),
                          []).append((x, y, z))
    found = 0
    for x, y, z, intensity, _, ring, _, _, distance, _ in reference:
        twins = by_key.get((ring, intensity, round(distance * 500)), ())
        found += any(math.dist((x, y, z), twin) <= 0.05 for twin in twins)
    return found / len(reference)


if __name__ == "__main__":
    main()

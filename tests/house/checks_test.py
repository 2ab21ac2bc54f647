#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""The checks of the house hold for this tree, and they fail where they should."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration"))

from harness import main  # noqa: E402: the path comes first


def run(*command, **options):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **options)


class Checks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="penstock-house-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_the_layers_hold(self):
        done = run(ROOT / "tools/check-layers")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_arrow_against_the_table_is_found(self):
        for file, include in {"buffer/a.hpp": "gpu/lane.hpp", "kernels/b.cu": "base/log.hpp",
                              "net/wire/c.cpp": "buffer/slab.hpp", "client/d.cpp": "server/config.hpp"}.items():
            with self.subTest(file):
                self.write(file, f'#include "{include}"\n')
                done = run(ROOT / "tools/check-layers", self.folder)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{file}:1:", done.stdout)

    def test_no_file_is_a_dumping_ground(self):
        done = run(ROOT / "tools/check-file-size")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_file_that_is_one_is_found(self):
        self.write("net/long.cpp", "\n" * 401)
        self.assertEqual(run(ROOT / "tools/check-file-size", self.folder).returncode, 1)

    def test_the_sources_are_formatted(self):
        if "version 14." not in (run("clang-format", "--version").stdout if shutil.which("clang-format") else ""):
            self.skipTest("no clang-format 14: other versions break lines elsewhere")
        files = [p for module in ("base", "buffer", "net", "gpu", "kernels", "sink", "server", "client", "tests")
                 for p in (ROOT / module).rglob("*") if p.suffix in (".hpp", ".cpp", ".cu")]
        done = run("clang-format", "--dry-run", "-Werror", *files)
        self.assertEqual(done.returncode, 0, done.stderr[:2000])

    def test_every_header_compiles_alone(self):
        build = ROOT / "build/dev"
        if not (build / "build.ninja").exists():
            self.skipTest("there is no build/dev")
        done = run("cmake", "--build", build, "--target", "all_verify_interface_header_sets")
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])

    def test_the_systemd_unit_is_one(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        unit = (ROOT / "deploy/systemd/penstock.service").read_text()
        self.write("penstock.service", unit.replace("/usr/bin/penstock", shutil.which("true")))
        done = run("systemd-analyze", "verify", self.folder / "penstock.service")
        own = [line for line in done.stderr.splitlines() if "penstock.service" in line]
        self.assertEqual(own, [], done.stderr)


if __name__ == "__main__":
    main()

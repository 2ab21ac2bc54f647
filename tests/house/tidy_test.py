#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy has nothing to say about our sources."""

import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration"))

from harness import main  # noqa: E402: the path comes first


class Tidy(unittest.TestCase):
    def test_it_is_silent(self):
        if not shutil.which("clang-tidy"):
            self.skipTest("clang-tidy is not installed")
        if not (ROOT / "build/fuzz/compile_commands.json").exists():
            self.skipTest("there is no build/fuzz, whose compile commands it needs")
        done = subprocess.run([ROOT / "tools/tidy"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-5000:])


if __name__ == "__main__":
    main()

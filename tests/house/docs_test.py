#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""The pages, the programs' help and the example configurations say the same."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration"))

from harness import LOAD, SERVER, main  # noqa: E402: the path comes first

PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md")]


def output(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout


class Docs(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
                if not target.startswith("http"):
                    self.assertTrue((page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}")

    def test_every_option_is_on_a_page(self):
        pages = "".join(page.read_text() for page in PAGES)
        for command in ((SERVER, "serve", "--help"), (SERVER, "check", "--help"), (SERVER, "--help"), (LOAD, "--help")):
            for option in set(re.findall(r"--[a-z][a-z-]+", output(*command))):
                self.assertTrue(option in pages, f"{' '.join(command[1:])}: {option} is on no page")

    def test_every_option_on_a_page_exists(self):
        helps = "".join(output(*c) for c in ((SERVER, "serve", "--help"), (SERVER, "--help"), (LOAD, "--help")))
        known = set(re.findall(r"--[a-z][a-z-]+", helps))
        for page in (ROOT / "README.md", ROOT / "docs/load-client.md"):
            for line in page.read_text().splitlines():
                if "penstock" in line and "docker" not in line and "cmake" not in line:
                    for option in re.findall(r"(?<!\w)--[a-z][a-z-]+", line):
                        self.assertTrue(option in known, f"{page.name}: {line}")

    def test_every_example_is_a_good_configuration(self):
        for example in (ROOT / "deploy/examples").glob("*.yaml"):
            output(SERVER, "check", "-c", example)

    def test_the_example_of_the_sender_library_builds(self):
        code = (ROOT / "docs/load-client.md").read_text().split("```cpp\n")[1].split("```")[0]
        library = pathlib.Path(os.environ["PENSTOCK_BUILD"]) / "libpenstock_sender.a"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "penstock").mkdir()
            shutil.copy(ROOT / "client/sender.hpp", folder / "penstock")
            (folder / "rig.cpp").write_text(code)
            output("c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", folder, folder / "rig.cpp", library,
                   "-lspdlog", "-lfmt", "-lpthread", "-o", folder / "rig")

    def test_the_readmes_least_configuration_is_the_example(self):
        readme = (ROOT / "README.md").read_text()
        block = re.search(r"```yaml\n# rig.yaml[^\n]*\n(.*?)```", readme, re.DOTALL)[1]
        example = (ROOT / "deploy/examples/least.yaml").read_text()
        self.assertEqual(block, "".join(example.splitlines(keepends=True)[1:]))


if __name__ == "__main__":
    main()

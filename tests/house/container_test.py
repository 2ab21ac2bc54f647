#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Penstock authors
# SPDX-License-Identifier: Apache-2.0
"""The image is built from the Dockerfile on a bare Debian, without a container engine's daemon, and its
client sends to its server."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration"))

from harness import free_port, main, wait_until  # noqa: E402: the path comes first

TAG = "penstock-test"
BUILDAH = ["buildah", "--storage-driver", "vfs"] if os.environ.get("PENSTOCK_BUILDAH_VFS") else ["buildah"]


def run(*command, **options):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[:4]}…: {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def mirror():
    """Where this machine gets its own packages from."""
    for file in [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*.*")]:
        if file.suffix not in (".list", ".sources") or not file.exists():
            continue
        found = re.search(r"^(?:URIs:\s*|deb\s+(?:\[[^\]]*\]\s+)?)(\S+)", file.read_text(), re.MULTILINE)
        if found:
            return found[1]
    raise unittest.SkipTest("no package source of this machine was found")


def listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Image(unittest.TestCase):
    def setUp(self):
        for tool in ("buildah", "debootstrap"):
            if not shutil.which(tool):
                self.skipTest(f"{tool} is not installed")
        if os.geteuid() != 0:
            self.skipTest("debootstrap and chroot isolation need root")
        if "ID=debian" not in pathlib.Path("/etc/os-release").read_text():
            self.skipTest("the bare system is made from this machine's own packages, and it is no Debian")
        probe = subprocess.run([*BUILDAH, "from", "--name", f"{TAG}-probe", "scratch"], capture_output=True,
                               text=True, check=False)
        if probe.returncode != 0:
            self.skipTest(f"buildah does not work here: {probe.stderr[-300:]}")
        run(*BUILDAH, "rm", f"{TAG}-probe")

    def base(self):
        """A bare Debian with this machine's package sources, as an image."""
        root = ROOT / "build/container-root"
        if not (root / "etc/debian_version").exists():
            shutil.rmtree(root, ignore_errors=True)
            root.parent.mkdir(exist_ok=True)
            run("debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", root, mirror())
            shutil.rmtree(root / "etc/apt")
            shutil.copytree("/etc/apt", root / "etc/apt", symlinks=True)
        container = run(*BUILDAH, "from", "scratch").strip()
        run(*BUILDAH, "add", "-q", container, root, "/")
        run(*BUILDAH, "commit", "-q", "--rm", container, f"{TAG}-base")
        return f"localhost/{TAG}-base"

    def program(self, target, *arguments):
        container = run(*BUILDAH, "from", f"localhost/{TAG}-{target}").strip()
        self.addCleanup(subprocess.run, [*BUILDAH, "rm", container], capture_output=True, check=False)
        name = "penstock" if target == "server" else "penstock-load"
        return [*BUILDAH, "run", "--isolation", "chroot", "--network", "host", container, "--",
                f"/usr/bin/{name}", *map(str, arguments)]

    def test_its_client_sends_to_its_server(self):
        base = self.base()
        for target in ("server", "load"):
            run(*BUILDAH, "bud", "--isolation", "chroot", "--network", "host", "--layers", "--build-arg", f"BASE={base}",
                "--target", target, "-t", f"{TAG}-{target}", "-f", ROOT / "deploy/container/Dockerfile", ROOT)
        inspect = run(*BUILDAH, "inspect", "--format", "{{.OCIv1.Config.User}}", f"localhost/{TAG}-server").strip()
        self.assertEqual(inspect, "65532:65532")

        # The port of the example is fixed in the image; this machine may use it for something else.
        port = free_port()
        rig = f"device: host\nmemory: {{lock: false}}\nlisten: {{tcp: '127.0.0.1:{port}'}}\n"
        shell = self.program("server")
        shell[-1:] = ["/bin/sh", "-c", f"printf \"{rig}\" > /tmp/rig.yaml && exec /usr/bin/penstock serve "
                      "-c /tmp/rig.yaml --no-live --duration 12"]
        server = subprocess.Popen(shell, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wait_until(lambda: listening(port) or server.poll() is not None, "the server in its container")
        sent = subprocess.run(self.program("load", "--to", f"127.0.0.1:{port}", "--frames", 50, "--rate", 100,
                                           "--crc"), capture_output=True, text=True, timeout=120, check=False)
        output, _ = server.communicate(timeout=120)
        self.assertEqual(sent.returncode, 0, sent.stdout + sent.stderr + output)
        self.assertIn("50 received by the server", sent.stdout)
        self.assertEqual(server.returncode, 0, output)
        self.assertIn("books: balanced", output)


if __name__ == "__main__":
    main()

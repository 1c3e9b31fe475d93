"""Full and read-only disks: small file systems in memory, which only the superuser can make."""

import ctypes
import os
import random
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.trust.apart import batches
from tests.trust.commands import ended, finished, ready, started
from tests.trust.kills import KINDS, OLD, whole
from tests.trust.tally import Tally

PRIVATE = 1 << 17  # CLONE_NEWNS: what is mounted is seen by this process and its children alone, and goes with them
SIZES = (4, 16, 64, 128, 256, 512, 1024, 4096)  # kilobytes
WORDS = ("cannot be written", "cannot be used")


def _alone():
    """Whether file systems can be mounted for this process alone."""
    if os.geteuid() != 0 or ctypes.CDLL(None).unshare(PRIVATE) != 0:
        return False
    return subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, check=False).returncode == 0


class Place:
    """A folder in which a small disk can be mounted, beside it a cache that holds what commands build."""

    def __init__(self):
        self.base = Path(tempfile.mkdtemp())
        self.disk, self.cache = self.base / "disk", self.base / "cache"
        self.disk.mkdir()
        (self.base / "first").mkdir()
        for kind in ("build", "simulate csv"):
            finished(KINDS[kind][0], self.base / "first", {"VOLTERRA_CG_CACHE": str(self.cache)})

    def mount(self, size):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", str(self.disk)], check=True)

    def close(self):
        subprocess.run(["umount", "-l", str(self.disk)], check=True)


class Case:
    """One command on one disk."""

    def __init__(self, dice, place):
        self.place, self.dice = place, dice
        self.kind = dice.choice([kind for kind in KINDS if kind != "build anew"])
        self.arguments, self.name = KINDS[self.kind]
        self.act = dice.choice(
            (self.full, self.full, self.full, self.read_only, self.cache_read_only, self.cache_full, self.output_full)
        )

    def run(self):
        """What is wrong, or empty, and how it ended."""
        try:
            return self.act()
        finally:
            self.place.close()

    def full(self):
        self.place.mount(self.dice.choice(SIZES))
        return self.judged(self.on_disk(), self.place.cache)

    def read_only(self):
        self.place.mount(64)
        folder = self.on_disk()
        subprocess.run(["mount", "-o", "remount,ro", str(self.place.disk)], check=True)
        return self.judged(folder, self.place.cache, codes=(4,))

    def cache_read_only(self):
        """What it holds it gives."""
        self.place.mount(65536)
        shutil.copytree(self.place.cache, self.place.disk / "cache")
        subprocess.run(["mount", "-o", "remount,ro", str(self.place.disk)], check=True)
        return self.judged(Path(tempfile.mkdtemp(dir=self.place.base)), self.place.disk / "cache", codes=(0,))

    def cache_full(self):
        self.place.mount(self.dice.choice(SIZES[:4]))
        return self.judged(Path(tempfile.mkdtemp(dir=self.place.base)), self.place.disk / "cache", codes=(4,))

    def output_full(self):
        """What is printed has no place."""
        self.place.mount(64)
        folder = Path(tempfile.mkdtemp(dir=self.place.base))
        code = ended(started(self.arguments, folder, "/dev/full", {"VOLTERRA_CG_CACHE": str(self.place.cache)}))
        return ("", "refused with exit code 4") if code == 4 else (f"ends with {code}", "")

    def on_disk(self):
        """A folder on the disk, with an old result."""
        folder = self.place.disk / "here"
        folder.mkdir()
        if "." in self.name and self.kind != "sweep":
            (folder / self.name).write_bytes(OLD)
        return folder

    def judged(self, folder, cache, codes=(0, 4)):
        """Run the command and look at what it leaves."""
        link = self.place.base / "link"  # what it says is written beside it, not on the disk
        link.unlink(missing_ok=True)
        link.symlink_to(folder)
        code, said, _ = finished(self.arguments, link, {"VOLTERRA_CG_CACHE": str(cache)})
        old = (
            (folder / self.name).exists()
            and (folder / self.name).is_file()
            and (folder / self.name).read_bytes() == OLD
        )
        had = folder.parent == self.place.disk and "." in self.name and self.kind != "sweep"
        left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        if code not in codes or (code == 4 and not any(words in said for words in WORDS)):
            return f"ends with {code}: {said[-600:]}", ""
        if code == 0 and (trouble := whole(folder / self.name)):
            return trouble, ""
        if left:
            return f"left behind: {left}", ""
        if code == 4 and had and not old:
            return "the old file is gone", ""
        return "", "done" if code == 0 else "refused with exit code 4"


def write(watch, seed, numbers):
    """Commands on disks that have no space or cannot be written."""
    tally = Tally()
    if not _alone():
        tally.skipped = "only the superuser mounts small disks"
        return tally
    ready()
    place = Place()
    for number in numbers:
        case = Case(random.Random(f"disk {seed}/{number}"), place)
        label = f"seed {seed} number {number}: {case.act.__name__}, {case.kind}"
        with watch.over(label, 1e6, audited=False):
            trouble, outcome = case.run()
        if trouble:
            tally.fail(f"{label}: {trouble}")
        else:
            tally.add(outcome)
    shutil.rmtree(place.base)
    return tally


def disks(seed, count):
    """The row of full and read-only disks."""
    return batches(write, seed, count, 400, 3600, gigabytes=64.0)

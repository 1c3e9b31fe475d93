"""Commands that are killed, and many builds at once: the old file or the new one is there, and nothing else stays."""

import os
import random
import shutil
import signal
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.trust.apart import batches
from tests.trust.commands import ended, finished, ready, started
from tests.trust.tally import Tally

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "benchmarks" / "models" / "cart_pendulum.toml"
OLD = b"what was there before"
RUN = ["simulate", SPEC, "--t-end", "10", "--dt", "0.02"]
KINDS = {  # a command and its result
    "simulate csv": ([*RUN, "-o", "run.csv"], "run.csv"),
    "sweep": (["sweep", SPEC, "--vary", "l=0.2:0.4:300", "--t-end", "2", "--dt", "0.1", "-o", "out.nc"], "out.nc"),
    "animate html": ([*RUN, "--animate", "motion.html"], "motion.html"),
    "report": (["report", SPEC, "--no-compare", "--t-end", "5", "-o", "page.html"], "page.html"),
    "build": (["build", SPEC, "-o", "out"], "out/cart_pendulum"),
    "simulate nc": ([*RUN, "-o", "run.nc"], "run.nc"),
    "plot": ([*RUN, "--plot", "run.png"], "run.png"),
    "build anew": (["build", SPEC, "-o", "out"], "out/cart_pendulum"),
    "simulate npz": ([*RUN, "-o", "run.npz"], "run.npz"),
    "animate gif": ([*RUN, "--t-end", "0.5", "--animate", "motion.gif"], "motion.gif"),
    "simulate mat": ([*RUN, "-o", "run.mat"], "run.mat"),
    "simulate parquet": ([*RUN, "-o", "run.parquet"], "run.parquet"),
}  # fmt: skip
FINISHED = 6  # one of so many killed commands is run again to its end
MAIN = (signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def whole(path):
    """Why a result is not one that a command writes to its end; empty if it is."""
    try:
        match path.suffix:
            case ".csv":
                assert np.isfinite(np.loadtxt(path, delimiter=",", skiprows=1)).all()
            case ".html":
                assert path.read_text().rstrip().endswith("</html>")
            case ".png":
                assert path.read_bytes().endswith(b"IEND\xaeB`\x82")
            case ".gif":
                assert path.read_bytes().endswith(b";")
            case "":
                assert {"report.json", "__init__.py", "cart_pendulum.c"} <= {each.name for each in path.iterdir()}
            case _ if path.name == "out.nc":
                _sweep(path)
            case _:
                import volterra_cg

                assert volterra_cg.load(path).ok
    except Exception as error:
        return f"{path.name} is broken: {type(error).__name__}: {error}"
    return ""


def _sweep(path):
    import h5netcdf

    with h5netcdf.File(path, "r") as file:
        assert file.variables["status"].shape == (300,)


class Victim:
    """A command in a folder of its own, killed again and again."""

    def __init__(self, kind, cache):
        self.kind, (self.arguments, name) = kind, KINDS[kind]
        self.folder = Path(tempfile.mkdtemp()) / "here"
        self.folder.mkdir()
        self.result, self.cache = self.folder / name, cache
        if kind == "build anew":
            self.cache = Path(tempfile.mkdtemp()) / "cache"
            shutil.copytree(cache, self.cache)
        self.environment = {"VOLTERRA_CG_CACHE": str(self.cache), "TMPDIR": str(self.folder.parent)}
        self.trouble = self.finish()
        self.expected = self.listing()
        self.content = self.result.read_bytes() if kind == "sweep" else b""

    def finish(self):
        """Run to the end; what is wrong with the result."""
        code, said, self.seconds = finished(self.arguments, self.folder, self.environment)
        return f"ends with {code}: {said[-500:]}" if code != 0 else whole(self.result)

    def listing(self):
        litter = [path for path in self.folder.parent.iterdir() if path.name not in ("here", "here.said")]
        return sorted(path.name for path in [*self.folder.iterdir(), *litter])

    def prepare(self):
        """What is there before: an old file, an edited module, or nothing for a sweep, which would not be done again."""
        if self.kind == "sweep":
            self.result.unlink(missing_ok=True)
        elif self.kind.startswith("build"):
            (self.result / "__init__.py").write_bytes(OLD)
            if self.kind == "build anew":
                for name in ("extensions", "modules"):
                    shutil.rmtree(self.cache / name, ignore_errors=True)
        else:
            self.result.write_bytes(OLD)

    def kill(self, dice):
        """Start the command and end it at some moment; what is wrong then."""
        self.prepare()
        process = started(self.arguments, self.folder, Path(f"{self.folder}.said"), self.environment)
        time.sleep(dice.uniform(0.0, 1.1 * self.seconds))
        os.kill(process, dice.choice(MAIN))
        if ended(process, 120.0) is None:
            return "does not end"
        return self.judged()

    def judged(self):
        if self.kind == "sweep":
            return whole(self.result) if self.result.exists() else ""
        if not self.result.exists():
            return "the old result is gone"
        if self.result.is_file() and self.result.read_bytes() == OLD:
            return ""
        return whole(self.result)

    def settle(self):
        """The next call gives the result, and nothing of the killed ones stays."""
        trouble = self.finish()
        if trouble:
            return f"afterwards {trouble}"
        if self.listing() != self.expected:
            return f"there is {self.listing()}, and should be {self.expected}"
        return "the sweep differs" if self.content and self.result.read_bytes() != self.content else ""


def kill(watch, seed, numbers):
    """Kill commands at random moments."""
    tally, victims = Tally(), {}
    ready()
    cache = Path(os.environ.get("VOLTERRA_CG_CACHE") or tempfile.mkdtemp())
    kinds = [*KINDS]
    for number in numbers:
        dice = random.Random(f"kill {seed}/{number}")
        kind = kinds[number % len(kinds)]
        with watch.over(f"seed {seed} number {number}: {kind}", 1e6, audited=False):
            victim = victims.setdefault(kind, None) or Victim(kind, cache)
            victims[kind] = victim
            trouble = victim.trouble or victim.kill(dice)
            if not trouble and dice.random() < 1 / FINISHED:
                trouble = victim.settle()
        if trouble:
            tally.fail(f"seed {seed} number {number}, {kind}: {trouble}")
        else:
            tally.add(kind.split()[0])
    for victim in victims.values():
        trouble = victim.settle()
        if trouble:
            tally.fail(f"seed {seed}, {victim.kind} at the end: {trouble}")
        shutil.rmtree(victim.folder.parent)
    return tally


def kills(seed, count):
    """The row of kills."""
    return batches(kill, seed, count, 400, 3600, gigabytes=64.0)


def build(watch, seed, numbers):
    """Many processes that build one model into one empty cache and one folder."""
    from volterra_cg.build.cache import Cache

    tally, place = Tally(), Path(tempfile.mkdtemp())
    ready()
    (place / "here").mkdir()
    environment = {"VOLTERRA_CG_CACHE": str(place / "cache"), "TMPDIR": str(place)}
    with watch.over(f"{len(numbers)} builders", 1e6, audited=False):
        said = [place / f"{number}.said" for number in numbers]
        processes = [started(KINDS["build"][0], place / "here", path, environment) for path in said]
        for path, process in zip(said, processes, strict=True):
            code = ended(process)
            if code == 0:
                tally.add("built")
            else:
                tally.fail(f"a builder ends with {code}: {path.read_text()[-500:]}")
    trouble = whole(place / "here" / "out" / "cart_pendulum")
    kept = [(entry.kind, entry.name) for entry in Cache(place / "cache").entries()]
    if trouble or len(kept) != len(set(kept)):
        tally.fail(f"{trouble}; the cache holds {kept}")
    left = [
        path.name
        for path in (*place.iterdir(), *(place / "cache" / "tmp").iterdir(), *(place / "here" / "out").iterdir())
    ]
    if litter := [name for name in left if name.startswith(".")]:
        tally.fail(f"left behind: {litter}")
    shutil.rmtree(place)
    return tally


def builders(seed, count):
    """The row of builders at once, 32 at most."""
    return batches(build, seed, count, 32, 3600, gigabytes=64.0)

"""Coverage fuzzing of the reader of specs with atheris, an optional requirement: texts are kept that reach new lines."""

import importlib.util
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.trust.tally import Tally
from tests.trust.texts import honest

SECONDS = 20  # for one text; slower ones are failures
MEGABYTES = 3000
SMALL = 1500  # bytes of the specs that the fuzzing begins with


def coverage(seed, count):
    """The row of coverage fuzzing."""
    tally = Tally()
    if importlib.util.find_spec("atheris") is None:
        tally.skipped = "atheris is not installed (pip install -e '.[torture]'), or has no wheel for this Python"
        return tally
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, text in enumerate(text for texts in honest() for text in texts if len(text) < SMALL):
            (corpus / f"{number}.toml").write_bytes(text)
        limits = [
            f"-runs={count}",
            f"-seed={seed % 2**31}",
            f"-timeout={SECONDS}",
            f"-rss_limit_mb={MEGABYTES}",
            "-max_len=3000",
        ]
        command = [sys.executable, "-m", "tests.trust.coverage", *limits, f"-artifact_prefix={folder}/", str(corpus)]
        answer = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        done = [int(number) for number in re.findall(r"^#(\d+)", answer.stderr, re.MULTILINE)]
        if answer.returncode:
            found = [path.read_bytes() for path in Path(folder).iterdir() if path.is_file()]
            tally.fail(f"exit code {answer.returncode}: {answer.stdout[-1500:]}{answer.stderr[-1500:]}\n{found}")
        tally.add("texts read", max(done, default=0))
        reached = re.findall(r"cov: (\d+)", answer.stderr)
        tally.outcomes[f"{reached[0]} to {reached[-1]} edges reached" if reached else "no edges reached"] = 0
    return tally


def fuzz():
    """Read what atheris makes; any error but that of a wrong spec ends this process."""
    import atheris

    with atheris.instrument_imports(include=["volterra_cg.spec"]):
        from volterra_cg.spec import reader
    from volterra_cg.errors import SpecError

    def read(data):
        with suppress(SpecError):
            reader.parse(data.decode("utf-8", "replace"), "spec.toml")

    atheris.Setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    fuzz()

"""A file for HDF5, on a disk that fills."""

import random

import pytest

from tests.fixtures.broken import full_disk
from volterra_cg.sweep.stream import Stream


@pytest.mark.parametrize("full", [False, True])
def test_what_is_written_is_read_even_where_the_disk_is_full(tmp_path, full):
    draw, whole = random.Random(1), bytearray(5000)
    with Stream(tmp_path / "file") as stream, full_disk(1000 if full else 10**9):
        stream.write(bytes(5000))
        for _ in range(200):
            start = draw.randrange(4900)
            data = draw.randbytes(draw.randrange(1, 100))
            stream.seek(start)
            assert stream.write(data) == len(data)
            assert stream.tell() == start + len(data)
            whole[start : start + len(data)] = data
        stream.seek(0)
        assert stream.read(10_000) == bytes(whole)
        stream.seek(-100, 2)
        assert stream.read(50) == bytes(whole[-100:-50])
        if full:
            with pytest.raises(OSError, match="File too large"):
                stream.require()
        else:
            stream.require()
            stream.truncate(3000)
    assert full or (tmp_path / "file").read_bytes() == bytes(whole[:3000])

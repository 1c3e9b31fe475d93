"""Snapshots and films by matplotlib."""

import shutil

import numpy as np
import pytest
from PIL import Image

from tests.fixtures.broken import full_disk
from volterra_cg.errors import OptionError
from volterra_cg.runtime.figure import COLOURS, blank
from volterra_cg.runtime.show.scene import scene_of
from volterra_cg.runtime.show.stills import camera_of, draw

pytestmark = pytest.mark.compiles


def pixels(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[:, :, :3].astype(float)


def test_a_body_is_seen_where_it_is_projected(run):
    scene = scene_of(run)
    expected = np.array([int(COLOURS[0][k : k + 2], 16) for k in (1, 3, 5)])
    for row in (0, 70):
        figure = blank((4, 4))
        figure.set_layout_engine("none")
        axis = figure.add_axes((0, 0, 1, 1))
        camera = camera_of(scene, row)
        draw(axis, scene, row, camera)
        image = pixels(figure)
        place = camera.seen(scene.bodies[0].at[row] + [0.15, 0, 0.05])
        x, y = ((place[:2] / camera.half + 1) / 2 * image.shape[:2]).astype(int)
        seen = image[image.shape[0] - 1 - y, x]
        assert np.linalg.norm(np.cross(seen, expected)) < 0.05 * np.linalg.norm(seen) * np.linalg.norm(expected)


def test_a_body_hides_the_lines_behind_it(run):
    scene = scene_of(run)
    camera, axis = camera_of(scene, 0), blank((4, 4)).subplots()
    draw(axis, scene, 0, camera)
    (lines,) = (each for each in axis.collections if each.get_zorder() == 3)
    (spring,) = (path.vertices for path in lines.get_paths() if len(path.vertices) > 10)
    gap = (
        camera.seen(scene.bodies[0].at[0])[0] - spring[:, 0].max()
    )  # to the centre of the cart, where the spring is fixed
    assert 0.1 < gap < 0.25  # half a cart, about


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_snapshot_is_written(run, tmp_path, suffix):
    path = tmp_path / f"shot{suffix}"
    figure = run.snapshot(1.0, path)
    assert path.stat().st_size > 5000
    assert figure.axes[0].get_title() == "hostile, t = 1 s"


def test_a_film_moves(run, tmp_path):
    told = []
    path = run.animate(tmp_path / "motion.gif", speed=10, progress=lambda done, total: told.append((done, total)))
    with Image.open(path) as film:
        assert film.n_frames >= 5
        assert told == [(k, film.n_frames) for k in range(1, film.n_frames + 1)]
        first = np.asarray(film.convert("RGB")).astype(int)
        film.seek(film.n_frames - 1)
        assert np.abs(np.asarray(film.convert("RGB")).astype(int) - first).max() > 100
    with full_disk(), pytest.raises(OptionError, match="cannot be written"):
        run.animate(path, speed=10)
    with Image.open(path) as film:
        assert film.n_frames >= 5


def test_a_film_as_mp4_needs_ffmpeg(run, tmp_path):
    path = tmp_path / "motion.mp4"
    if shutil.which("ffmpeg"):
        run.animate(path, speed=10)
        assert path.read_bytes()[4:8] == b"ftyp"
    else:
        with pytest.raises(OptionError, match="written by ffmpeg, which is not installed"):
            run.animate(path, speed=10)


def test_what_cannot_be_drawn_is_refused(run, model, tmp_path):
    with pytest.raises(OptionError, match=r"written as \.html, \.gif or \.mp4"):
        run.animate(tmp_path / "motion.avi")
    with pytest.raises(OptionError, match="speed must be above zero"):
        run.animate(tmp_path / "motion.gif", speed=0)

"""Arguments of single runs that make no sense are refused by name."""

import numpy as np
import pytest

from volterra_cg.errors import OptionError
from volterra_cg.runtime import Event


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"params": {"m": np.nan}}, OptionError, "the parameter m must be a finite number, not nan"),
        ({"params": {"m": "heavy"}}, TypeError, "the parameter m must be a number"),
        ({"params": [1.0, 2.0]}, TypeError, "parameters must map names"),
        ({"q": {"x": np.nan}}, OptionError, "the coordinate x must be a finite number"),
        ({"q": [np.inf, 0.0, 0.0]}, OptionError, "q of x must be a finite number"),
        ({"q": ["a", "b", "c"]}, TypeError, "q must be numbers"),
        ({"t": np.nan}, OptionError, "t must be a finite number"),
        ({"signals": {"force": np.nan}}, OptionError, "the signal force must be a finite number"),
    ],
)
def test_starts(model, arguments, error, words):
    with pytest.raises(error, match=words):
        model.start(**arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"t_end": "late"}, TypeError, "t_end must be a number"),
        ({"t_end": "late", "t_eval": [1.0]}, TypeError, "t_end must be a number"),
        ({"dt": [0.1, 0.2]}, TypeError, "dt must be a number"),
        ({"dt": np.inf}, OptionError, "dt must be positive and finite"),
        ({"rtol": "fine"}, TypeError, "rtol must be a number"),
        ({"rtol": np.inf}, OptionError, "finite"),
        ({"atol": np.inf}, OptionError, "finite"),
        ({"atol": ["a"]}, TypeError, "atol must be numbers"),
        ({"rtol": 1e-300, "atol": 0.0}, OptionError, "finer than numbers"),
        ({"max_step": "1"}, TypeError, "max_step must be a number"),
        ({"first_step": "1"}, TypeError, "first_step must be a number"),
        ({"max_steps": 1.5}, TypeError, "max_steps must be a whole number"),
        ({"max_steps": 0}, OptionError, "max_steps must be positive"),
        ({"max_steps": 2**70}, OptionError, "max_steps must be positive"),
        ({"t_eval": "soon"}, TypeError, "t_eval must be numbers"),
        ({"t_eval": [0.1, None]}, TypeError, "t_eval must be numbers"),
        ({"events": ["height"]}, TypeError, "events must map names"),
        ({"method": 3}, OptionError, "must be a string"),
    ],
)
def test_runs(model, arguments, error, words):
    with pytest.raises(error, match=words):
        model.simulate(**{"t_end": 1.0, **arguments})


@pytest.mark.parametrize("direction", [3, [], None])
def test_events(direction):
    with pytest.raises(OptionError, match="the name of a direction must be a string"):
        Event(direction)

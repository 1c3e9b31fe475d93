import ctypes
import re

import numpy as np
import pytest

from volterra_cg import headers
from volterra_cg.errors import InternalError, OptionError
from volterra_cg.runtime.table import ABI_VERSION, DOUBLES, INTS, TABLES, Table, arrays, functions

HEADER = headers.texts()["vcg_model.h"].decode()
TYPES = {
    "struct vcg_model *const *": TABLES,
    "double *": DOUBLES,
    "int *": INTS,
    "double": ctypes.c_double,
    "int": ctypes.c_int,
}


def members():
    """The members of the struct in the header: (name, its type) for data, (name, types of the arguments) for a function."""
    text = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.DOTALL)
    body = re.search(r"typedef struct vcg_model \{(.*)\} vcg_model;", text, re.DOTALL)[1]
    for line in (" ".join(line.split()) for line in body.split(";") if line.strip()):
        function = re.fullmatch(r"int \(\*(\w+)\)\((.*)\)", line)
        if function is None:
            kind, name = re.fullmatch(r"(?:const )?(struct vcg_model \*const \*|int \*|int )(\w+)", line).groups()
            yield name, TYPES[kind.strip()]
        else:
            kinds = [re.sub(r"const |\w+$", "", part.strip()).strip() for part in function[2].split(",")]
            yield function[1], tuple(TYPES[kind] for kind in kinds)


def pointer(values):
    return values.ctypes.data_as(INTS if values.dtype == np.intc else DOUBLES)


def test_the_mirror_is_the_header():
    data = (ctypes.c_int, INTS, TABLES)
    found = [(name, kind if kind in data else (kind._restype_, kind._argtypes_)) for name, kind in Table._fields_]
    assert found == [(name, kind if kind in data else (ctypes.c_int, kind)) for name, kind in members()]
    assert int(re.search(r"#define VCG_ABI_VERSION (\d+)", HEADER)[1]) == ABI_VERSION


def test_sizes_are_those_of_the_model(module):
    table = functions(module.address)
    for name, size in module.model.default.handle.sizes.items():
        found = getattr(table, name)  # a number, or a function that is there or not
        assert found == size if isinstance(found, int) else bool(found) == bool(size)
    assert table.rhs
    assert not table.jacobian


def test_functions_can_be_called(module):
    table, rest, z = functions(module.address), arrays(module.model.default), np.array(module.z0)
    dz, y = np.empty(table.states), np.empty(table.outputs)
    assert table.rhs(0.0, pointer(z), pointer(dz), *map(pointer, rest)) == 0
    assert table.output(0.0, pointer(z), pointer(y), *map(pointer, rest)) == 0
    np.testing.assert_array_equal(dz, module.rhs(0.0, z))
    np.testing.assert_array_equal(y, module.model.default.measured(0.0, z))


def test_arrays_are_those_of_the_start(module):
    start = module.start(params={"m": 3.0})
    other = arrays(start)
    np.testing.assert_array_equal(other.g, start.momenta)
    assert [len(part) for part in other] == [
        start.handle.sizes[name] for name in ("prepared", "momenta", "signals", "scratch")
    ] + [1]
    assert not np.array_equal(other.w, arrays(module.model.default).w) or not len(other.w)


def test_another_interface_is_refused():
    foreign = Table(abi_version=ABI_VERSION + 1)
    with pytest.raises(InternalError, match="build the model again"):
        functions(ctypes.addressof(foreign))


@pytest.mark.compiles
def test_signals_that_change_are_refused(compiled):
    text = """
schema = 1
name = "pushed"
[signals]
push = 1.5
[coordinates]
x = { initial = 0, rate = 0 }
[points]
P = { at = ["x", 0, 0] }
[bodies]
block = { mass = 2, center = "P" }
[forces]
push = { at = "P", vector = ["push", 0, 0] }
"""
    model = compiled(text)
    assert arrays(model.default).signals == [1.5]
    with pytest.raises(OptionError, match="changes"):
        arrays(model.start(signals={"push": lambda t, z: t}))

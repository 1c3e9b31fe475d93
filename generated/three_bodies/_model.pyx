# cython: language_level=3, binding=False, emit_code_comments=False, freethreading_compatible=True
"""The compiled three_bodies: its function table as a capsule and as an address."""

from cpython.pycapsule cimport PyCapsule_New

cdef extern from "three_bodies.h":
    ctypedef struct vcg_model:
        pass
    const vcg_model vcg_model_three_bodies

table = PyCapsule_New(<void *>&vcg_model_three_bodies, "vcg_model", NULL)
address = <size_t>&vcg_model_three_bodies

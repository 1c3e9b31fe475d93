"""Rows of a sparse matrix that belong together."""

from volterra_cg.program.parts import groups


def test_rows_that_share_columns_by_way_of_others_are_of_one_group():
    found = groups([{0, 1}, {5}, {2}, {1, 2}, (), {5, 7}, {9}])
    alike = [{k for k, group in enumerate(found) if group == one} for one in dict.fromkeys(found)]
    assert alike == [{0, 2, 3}, {1, 5}, {4}, {6}]

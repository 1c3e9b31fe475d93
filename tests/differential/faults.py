"""Small faults of the compiler's code: every one there is, and the tree or the text of a file with one of them."""

import ast
import copy
import difflib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
STAGES = ("kinematics", "formulations", "elimination", "passes")
COMPARISONS = {ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
               ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.BitOr: ast.BitAnd}


@dataclass(frozen=True)
class Fault:
    """A change of one file: the number of the node in the walk of its tree, and what happens to it."""

    path: str
    node: int
    kind: str
    line: int
    lines: tuple  # of the statement that it is in, without the statements within
    text: str = ""  # of the whole file, for a fault by hand

    @property
    def stage(self):
        return self.path.split("/")[1]

    @property
    def module(self):
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def __str__(self):
        return f"{self.path}:{self.line} {self.kind} #{self.node}"


def changes(node):  # noqa: C901
    """The names of what can be done to a node."""
    match node:
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            yield from ("other operator", "left alone", "right alone")
        case ast.UnaryOp(op=ast.USub()):
            yield "no sign"
        case ast.UnaryOp(op=ast.Not()):
            yield "no negation"
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield "other comparison"
        case ast.Constant(value=bool()):
            yield "other truth"
        case ast.Constant(value=int()):
            yield "one more"
        case ast.BoolOp():
            yield "other junction"
        case ast.Call(args=[_, _, *_]):
            yield "arguments swapped"
        case ast.IfExp():
            yield from ("always", "never")
        case ast.AugAssign() | ast.Expr(value=ast.Call()):
            yield "statement skipped"
        case ast.If():
            yield from ("always", "never")
        case ast.comprehension(ifs=[_, *_]):
            yield "no filter"


def faults(root):
    """Every fault there is."""
    for stage in STAGES:
        for path in sorted((root / "volterra_cg" / stage).glob("*.py")):
            tree = ast.parse(path.read_text())
            skipped, spans, name = _untouched(tree), _spans(tree), str(path.relative_to(root))
            for number, node in enumerate(ast.walk(tree)):
                if number not in skipped:
                    for kind in changes(node):
                        lines = spans[id(node)]
                        yield Fault(name, number, kind, getattr(node, "lineno", lines[0]), lines)


def by_hand(path, other):
    """A fault that is a file in place of another."""
    lines = tuple(range(1, len((ROOT / path).read_text().splitlines()) + 1))
    return Fault(path, 0, "by hand", 1, lines, Path(other).read_text())


def _spans(tree):
    """The lines of the innermost statement around each node; of one with a body, those of its head."""
    found = {}
    for statement in ast.walk(tree):  # the outer ones come first
        if isinstance(statement, ast.stmt):
            body = getattr(statement, "body", None)
            last = max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno
            lines = tuple(range(statement.lineno, last + 1))
            found |= {id(node): lines for node in ast.walk(statement)}
    return found


def _untouched(tree):
    """Nodes in annotations, messages, assertions and raise statements, which change no number."""
    numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}
    silent = [
        n for n in ast.walk(tree) if isinstance(n, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom)
    ]
    for node in ast.walk(tree):
        silent += [
            part for part in (getattr(node, "annotation", None), getattr(node, "returns", None)) if part is not None
        ]
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            silent += node.decorator_list
    return {numbers[id(inner)] for node in silent for inner in ast.walk(node)}


def mutated(text, fault):
    """The tree of a text with a fault."""
    if fault.text:
        return ast.parse(fault.text)
    tree = ast.parse(text)
    node = list(ast.walk(tree))[fault.node]
    before = copy.deepcopy(node)
    replacement = _replacement(node, fault.kind)
    if replacement is None:
        return ast.fix_missing_locations(tree)
    for parent in ast.walk(tree):
        for name, given in ast.iter_fields(parent):
            if given is node:
                setattr(parent, name, replacement)
            elif isinstance(given, list) and any(part is node for part in given):
                given[next(i for i, part in enumerate(given) if part is node)] = replacement
    assert ast.dump(before) != ast.dump(replacement)
    return ast.fix_missing_locations(tree)


def _replacement(node, kind):  # noqa: C901
    """What a node becomes; None where it was changed in place."""
    match kind:
        case "left alone":
            return node.left
        case "right alone":
            return node.right
        case "no sign" | "no negation":
            return node.operand
        case "statement skipped":
            return ast.Pass()
        case "other operator":
            node.op = OPERATORS[type(node.op)]()
        case "other comparison":
            node.ops = [COMPARISONS[type(node.ops[0])]()]
        case "other truth":
            node.value = not node.value
        case "one more":
            node.value += 1
        case "other junction":
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case "arguments swapped":
            node.args[0], node.args[1] = node.args[1], node.args[0]
        case "always" | "never":
            node.test = ast.Constant(kind == "always")
        case "no filter":
            node.ifs = []
    return None


def difference(fault):
    """A fault as a difference of two texts."""
    text = ast.unparse(ast.parse((ROOT / fault.path).read_text()))
    changed = ast.unparse(mutated((ROOT / fault.path).read_text(), fault))
    lines = difflib.unified_diff(text.splitlines(), changed.splitlines(), fault.path, fault.kind, n=2, lineterm="")
    return "\n".join(lines)

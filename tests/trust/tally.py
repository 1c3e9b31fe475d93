"""What a row of the table tried, and what happened."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """`failures` are losses, hangs, crashes, foreign exceptions and wrong numbers, each with what repeats it."""

    tried: int = 0
    outcomes: Counter = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    skipped: str = ""  # why the row cannot be tried here

    def add(self, outcome: str, count: int = 1) -> None:
        self.tried += count
        self.outcomes[outcome] += count

    def fail(self, text: str) -> None:
        self.tried += 1
        self.failures.append(text)

    def join(self, other: "Tally") -> None:
        self.tried += other.tried
        self.outcomes.update(other.outcomes)
        self.failures += other.failures
        self.skipped = self.skipped or other.skipped

    def told(self) -> str:
        """What happened, in a cell."""
        if self.skipped:
            return f"not tried: {self.skipped}"
        words = [f"{count:,} {outcome}" if count else outcome for outcome, count in self.outcomes.most_common()]
        return ", ".join([*words, f"**{len(self.failures)} failed**" if self.failures else "none failed"])

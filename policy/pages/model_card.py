"""The card of the model file on Settings: told by the file alone, for a page never loads a model."""

from __future__ import annotations

from dataclasses import dataclass

from policy.judges.gguf import file
from policy.judges.gguf.file import ModelFile, NoModel

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class ModelCard:
    """`file` is None where there is none; `missing` then says what to do."""

    file: ModelFile | None
    missing: str = ""

    @property
    def megabytes(self) -> int:
        return round(self.file.size / MB) if self.file else 0

    @property
    def licence(self) -> str:
        return self.file.known.licence if self.file and self.file.known else ""

    @property
    def fitted(self) -> str:
        """The kinds of questions whose probabilities are fitted for this file."""
        readouts = self.file.known.readouts if self.file and self.file.known else {}
        return ", ".join(kind.replace("_", " ") for kind in sorted(readouts))


def model_card() -> ModelCard:
    """What is there now."""
    try:
        return ModelCard(file.found())
    except NoModel as missing:
        return ModelCard(None, str(missing))

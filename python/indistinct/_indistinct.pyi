import os
from collections.abc import Callable, Sequence
from typing_extensions import CapsuleType
from typing import Any, final

__all__ = [
    "ArrowTable",
    "BudgetExceeded",
    "Evaluated",
    "Source",
    "__version__",
    "certificate_problems",
    "combine_files",
    "combine_sources",
    "draft_schema",
    "evaluate",
    "init_ledger",
    "judge",
    "parse_schema",
    "read_ledger",
    "read_schema",
    "read_table",
    "save_schema",
    "verify",
    "verify_ledger",
]

__version__: str

class BudgetExceeded(Exception): ...

@final
class Source:
    @staticmethod
    def from_arrow(name: str, stream: object) -> Source: ...
    @staticmethod
    def open(path: str | os.PathLike[str]) -> Source: ...
    @property
    def names(self) -> list[str]: ...

@final
class ArrowTable:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...
    def __len__(self) -> int: ...

@final
class Evaluated:
    @property
    def document(self) -> str: ...
    @property
    def text(self) -> str: ...
    def write_page(self, path: str | os.PathLike[str], force: bool) -> os.PathLike[str]: ...

def evaluate(
    real: Source,
    synthetic: Sequence[tuple[str, Source]],
    schema: str | None,
    options: dict[str, Any],
    progress: Callable[[int, int], object] | None,
) -> Evaluated: ...
def judge(real: Source, synthetic: Source, schema: str | None, options: dict[str, Any]) -> tuple[float, float]: ...
def combine_files(
    paths: Sequence[str | os.PathLike[str]], formula: str, schema: str | None, options: dict[str, Any]
) -> tuple[str, str]: ...
def combine_sources(
    sources: Sequence[tuple[str, Source]], formula: str, schema: str | None, options: dict[str, Any]
) -> tuple[str, str]: ...
def draft_schema(source: Source) -> tuple[str, str, list[str]]: ...
def parse_schema(text: str) -> str: ...
def read_schema(path: str | os.PathLike[str]) -> tuple[str, str]: ...
def save_schema(text: str, path: str | os.PathLike[str], force: bool) -> None: ...
def read_table(source: Source, schema: str) -> ArrowTable: ...
def init_ledger(
    path: str | os.PathLike[str], epsilon: str, delta: str, id: str | None
) -> tuple[str, str, str | None]: ...
def read_ledger(path: str | os.PathLike[str]) -> tuple[str, str]: ...
def verify_ledger(path: str | os.PathLike[str], head: str | None) -> tuple[str, str]: ...
def verify(folder: str | os.PathLike[str]) -> tuple[str, str, str | None]: ...
def certificate_problems(certificate: str) -> str: ...

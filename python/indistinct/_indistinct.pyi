import os
from collections.abc import Callable, Sequence
from typing_extensions import CapsuleType
from typing import Any, final

__all__ = [
    "ArrowTable",
    "BudgetExceeded",
    "Evaluated",
    "Fitted",
    "NoGuarantee",
    "Preparation",
    "Source",
    "__version__",
    "certificate_problems",
    "combine_files",
    "combine_sources",
    "draft_schema",
    "evaluate",
    "in_keywords",
    "init_ledger",
    "judge",
    "parse_schema",
    "plan_ledger",
    "prepare",
    "read_ledger",
    "read_schema",
    "read_table",
    "save_schema",
    "verify",
    "verify_ledger",
]

__version__: str

class BudgetExceeded(Exception): ...
class NoGuarantee(ValueError): ...

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

@final
class Preparation:
    @property
    def split(self) -> str: ...
    @property
    def split_text(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def warning_of_delta(self) -> str | None: ...
    def release(
        self,
        ledger: tuple[str | os.PathLike[str], str | None, bool] | None,
        options: dict[str, Any],
        progress: Callable[[int, int], object] | None,
    ) -> tuple[Fitted, list[str]]: ...

@final
class Fitted:
    @staticmethod
    def load(path: str | os.PathLike[str]) -> Fitted: ...
    @staticmethod
    def of_state(release: str) -> Fitted: ...
    def state(self) -> str: ...
    @property
    def certificate(self) -> str | None: ...
    @property
    def schema(self) -> tuple[str, str]: ...
    def sample(self, options: dict[str, Any], progress: Callable[[int, int], object] | None) -> ArrowTable: ...
    def save(self, path: str | os.PathLike[str], force: bool) -> None: ...
    def save_release(
        self,
        folder: str | os.PathLike[str],
        options: dict[str, Any],
        force: bool,
        progress: Callable[[int, int], object] | None,
    ) -> str: ...

def prepare(
    source: Source,
    schema: str | None,
    drafted: bool,
    options: dict[str, Any],
    ledger: tuple[str | os.PathLike[str], str | None, bool] | None,
    dry_run: bool,
) -> Preparation: ...
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
    path: str | os.PathLike[str], epsilon: str, delta: str, id: str | None, neighbours: str
) -> tuple[str, str, str | None]: ...
def plan_ledger(path: str | os.PathLike[str], releases: int, delta: str | None) -> tuple[str, str]: ...
def read_ledger(path: str | os.PathLike[str]) -> tuple[str, str]: ...
def verify_ledger(path: str | os.PathLike[str], head: str | None) -> tuple[str, str]: ...
def verify(folder: str | os.PathLike[str], options: dict[str, Any]) -> tuple[str, str, str | None]: ...
def in_keywords(text: str) -> str: ...
def certificate_problems(certificate: str) -> str: ...

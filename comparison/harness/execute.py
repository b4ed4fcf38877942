"""Runs a command with a limit of time, and says what it took."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

#: One thread for everyone: the machine is shared, and times are compared.
ONE_THREAD = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "RAYON_NUM_THREADS",
    )
}
LAUNCHER = Path(__file__).resolve().parent / "launch.py"


@dataclass(frozen=True)
class Outcome:
    """What became of a command."""

    status: str
    reason: str | None
    #: From start to end of the process.
    seconds: float
    #: Processor time of the process and those that it waited for.
    cpu_seconds: float
    #: Largest resident memory of the process, or of one that it waited for.
    peak_mb: float


def execute(arguments, time_limit, log, cwd):
    """Runs `arguments` and waits. `status` is ok, failed or timeout; the process's output goes to the file `log`."""
    with tempfile.NamedTemporaryFile("r") as usage, open(log, "wb") as output:
        launcher = subprocess.Popen(
            [sys.executable, "-I", "-S", LAUNCHER, usage.name, str(time_limit), *arguments],
            stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            cwd=cwd, env={**os.environ, **ONE_THREAD}, start_new_session=True,
        )  # fmt: skip
        try:
            launcher.wait()
        except BaseException:
            launcher.terminate()  # it ends the command, too
            launcher.wait()
            raise
        timed_out, code, seconds, cpu, peak_kb = map(float, usage.read().split())
    status, reason = "ok", None
    if timed_out:
        status, reason = "timeout", f"stopped after {time_limit:g} seconds, at least {cpu:.0f} of them on a processor"
    elif code != 0:
        status, reason = "failed", _last_words(log, int(code))
    return Outcome(status, reason, seconds, cpu, peak_kb / 1024)


def _last_words(log, code):
    """The last line that says something, which is where Python and most programs say what went wrong."""
    with open(log, encoding="utf-8", errors="replace") as lines:
        said = [line.strip() for line in lines if line.strip()]
    return f"exit code {code}: {said[-1][:300] if said else 'it said nothing'}"

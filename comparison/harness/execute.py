"""Runs a command in a process group of its own, with a limit of time, and says what it took."""

import os
import signal
import subprocess
import time
from dataclasses import dataclass

#: One thread for everyone: the machine is shared, and times are compared.
ONE_THREAD = {
    name: "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "RAYON_NUM_THREADS")
}


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
    start = time.perf_counter()
    with open(log, "wb") as output:
        process = subprocess.Popen(
            arguments, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            cwd=cwd, env={**os.environ, **ONE_THREAD}, start_new_session=True,
        )  # fmt: skip
        timed_out, ended = False, 0
        try:
            while not ended:
                ended, code, usage = os.wait4(process.pid, os.WNOHANG)
                if not ended:
                    if time.perf_counter() - start > time_limit and not timed_out:
                        timed_out = True
                        os.killpg(process.pid, signal.SIGKILL)
                    time.sleep(0.02)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    process.returncode = os.waitstatus_to_exitcode(code)
    seconds = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    status, reason = "ok", None
    if timed_out:
        status, reason = "timeout", f"stopped after {time_limit:g} seconds, {cpu:.0f} of them on a processor"
    elif process.returncode != 0:
        status, reason = "failed", _last_words(log, process.returncode)
    return Outcome(status, reason, seconds, cpu, usage.ru_maxrss / 1024)


def _last_words(log, code):
    """The last line that says something, which is where Python and most programs say what went wrong."""
    with open(log, encoding="utf-8", errors="replace") as lines:
        said = [line.strip() for line in lines if line.strip()]
    return f"exit code {code}: {said[-1][:300] if said else 'it said nothing'}"

"""Runs one command for `execute`: `python launch.py USAGE_FILE TIME_LIMIT COMMAND...`.

A process of its own, and a small one: the peak memory that the system reports for a process counts that of the process it was
forked from, which would be the whole harness with its tables. It imports nothing that is large for the same reason.
"""

import os
import signal
import sys
import time


def main(usage_file, time_limit, command):
    start = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.execvp(command[0], command)

    def stop(*_):
        end_group(child)
        os._exit(1)

    signal.signal(signal.SIGTERM, stop)
    timed_out, ended = 0, 0
    while not ended:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if not ended:
            if not timed_out and time.perf_counter() - start > float(time_limit):
                timed_out = 1
                end_group(child)
            time.sleep(0.02)
    seconds = time.perf_counter() - start
    end_group(child)  # what it may have left behind
    with open(usage_file, "w") as file:
        print(
            timed_out,
            os.waitstatus_to_exitcode(status),
            seconds,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss,
            file=file,
        )


def end_group(child):
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])

"""Writes the page from results. Sentences that depend on numbers are made from them here, wins and losses alike."""

import textwrap
from statistics import median

from .methods import BY_NAME, EPSILONS, METHODS
from .prose import HEAD, MEASURES, PUBLISHED, TOLD, TOLD_OF, TOLD_OF_ALL, TOLD_OF_METHOD
from .regressions import REGRESSIONS
from .results import read_results
from .summary import CONTROL, COST, HALVES, QUALITY, SHARES, Summary, is_test_table, label

OURS = "indistinct"
#: Measures that the summary has sentences about.
HEADLINES = ("pmse", "two_way", "three_way", "predict", "regression")
WIDTH = 125


def write(results, path):
    """Writes the page, or says that there is nothing to write it from."""
    lines = read_results(results).values()
    if not lines:
        print(f"{results} has no results yet, so no page is written")
        return
    path.write_text(page(Summary(lines)), encoding="utf-8")
    print(f"wrote {path}")


def page(summary):
    parts = [title(summary), HEAD, "## In short", *in_short(summary), told(summary)]
    parts += [*limits_passed(summary), MEASURES, regressions(summary)]
    parts += tree_sees(summary)
    for measure in (*QUALITY, *SHARES):
        found = list(section(summary, measure))
        parts += found
        if found and measure.key == "nist_pmse":
            parts.append(PUBLISHED)
    parts += ["## Time and memory", times(summary)]
    for measure in COST:
        parts += section(summary, measure, level="###")
    parts += ["## Runs that gave no table", *failures(summary)]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def title(summary):
    """The title, which names the other libraries that there are results of."""
    *names, last = [name for name in TOLD_OF if name in libraries(summary)] or ["other libraries"]
    return "# Comparison with " + (f"{', '.join(names)} and {last}" if names else last)


def libraries(summary):
    """The libraries that there are results of."""
    return {BY_NAME[line["method"]].library for line in summary.lines}


def told(summary):
    """Who was told what: tables and settings of the methods that there are results of."""
    methods = {line["method"] for line in summary.lines}
    parts = [TOLD]
    for library, text in TOLD_OF.items():
        if library in libraries(summary):
            parts.append(text)
            parts += [TOLD_OF_METHOD[name] for name in TOLD_OF_METHOD if name in methods and BY_NAME[name].library == library]
    return "\n".join(part.strip("\n") for part in [*parts, TOLD_OF_ALL])


def in_short(summary):
    """Who is best where, and how often `indistinct` is ahead of each of the others."""
    counted = f"{len(summary.lines)} results are in: {_count(summary, 'ok')} tables that were measured, {_count(summary, 'failed')} runs that failed, {_count(summary, 'timeout')} that were stopped at the time limit."
    yield fill(counted)
    if OURS not in {line["method"] for line in summary.lines}:
        yield fill("There are no results of `indistinct` yet. What follows is about the others.")
    for measure in (m for m in QUALITY if m.key in HEADLINES):
        for epsilon in EPSILONS:
            sentence = standing(summary, measure, epsilon)
            if sentence:
                yield fill(sentence)
    rivals = [m for m in summary.private_methods if not m.is_ours]
    if rivals and any(m.is_ours for m in summary.private_methods):
        yield fill(
            "How often `indistinct` has the better median, of the cases (a table and an epsilon) where both gave a table; pure methods are set against pure ones, and those without limits against those without:"
        )
        rows = [
            [f"{label(peer(m))} against {m.label}", *(_versus(summary, m, measure) for measure in QUALITY)]
            for m in rivals
        ]
        yield markdown(["", *(m.title for m in QUALITY)], rows)


def peer(rival):
    """The setting of `indistinct` whose promise and whose knowledge are most like the rival's."""
    return next(m.name for m in METHODS if m.is_ours and m.limits == rival.limits and m.delta == rival.delta)


def _versus(summary, rival, measure):
    better, both, alone, rival_alone = summary.ahead(peer(rival), rival.name, measure)
    if both + alone + rival_alone == 0:
        return "no case"
    text = f"{better} of {both}"
    text += f"; {alone} more gave a table with `indistinct` only" if alone else ""
    return text + (f"; {rival_alone} more without `indistinct`" if rival_alone else "")


def standing(summary, measure, epsilon):
    """One sentence: the best method on each table, and where `indistinct` is if that is another."""
    clauses = []
    for table in summary.tables:
        ranked = summary.best(table, epsilon, measure)
        if len(ranked) < 2:
            continue
        value, name = ranked[0]
        where = f"{table} (test)" if is_test_table(table) else table
        clause = f"on {where} {label(name)} ({number(value, measure)})"
        names = [other for _, other in ranked]
        if OURS in names and name != OURS:
            place = names.index(OURS)
            clause += f", `indistinct` {ordinal(place + 1)} of {len(ranked)} ({number(ranked[place][0], measure)})"
        clauses.append(clause)
    return f"**{measure.title} at epsilon {epsilon:g}.** Best: {'; '.join(clauses)}." if clauses else None


def limits_passed(summary):
    """How many values of each table lie beyond the public limits."""
    size = {line["table"]: line for line in summary.lines}
    said = [
        f"{size[table]['outside_limits']} in {table} ({size[table]['rows']:,} rows, {size[table]['columns']} columns)"
        for table in summary.tables
    ]
    yield fill(
        "Numbers beyond the limits are given to everyone who has limits as the limit, and measured as they are. There are "
        + ", ".join(said)
        + "."
    )


def regressions(summary):
    said = [
        f"- {table}: " + ", ".join(f"`{regression}`" for regression in REGRESSIONS[table])
        for table in summary.tables
        if table in REGRESSIONS
    ]
    return "\n".join(said)


def tree_sees(summary):
    """Where the greedy tree is blind to the control, say so: there pMSE is about margins."""
    for table in summary.tables:
        control, halves = (summary.reference(table, name, "pmse") for name in (CONTROL, HALVES))
        if control is not None and halves is not None and control <= halves:
            yield fill(
                f"On {table} the tree does not see the control: its pMSE of {control:.4f} is no larger than that of two halves "
                f"of the real table, {halves:.4f}. A tree that is grown one split at a time starts with one column, and the control's single "
                "columns are exact. There pMSE tells about margins more than about dependence; the two-way distance tells about both."
            )


def section(summary, measure, level="##"):
    """A table of the measure for each data set that has it."""
    tables = []
    for table in summary.tables:
        rows = [_row(summary, measure, table, method) for method in METHODS]
        rows = [row for row in rows if row]
        if rows:
            tables.append(f"**{table}**" + (" (test table)" if is_test_table(table) else ""))
            tables.append(markdown(["", *(f"epsilon {epsilon:g}" for epsilon in EPSILONS)], rows))
    if not tables:
        return
    yield f"{level} {measure.title}"
    yield fill(
        measure.says
        + " Median, and range where there is more than one run."
        + (" In bold the best of a column." if measure not in COST else "")
    )
    yield from tables


def _row(summary, measure, table, method):
    """A method's cells, or None where it has nothing to show."""
    if method.is_reference:
        cell = _cell(summary, measure, table, method.name, None)
        shown = cell not in ("", "–") and measure in QUALITY
        return [f"*{method.label}*", *[cell] * len(EPSILONS)] if shown else None
    if not any(summary.group(table, method.name, epsilon) for epsilon in EPSILONS):
        return None
    cells = [_cell(summary, measure, table, method.name, epsilon) or "not run yet" for epsilon in EPSILONS]
    if measure not in COST:
        for index, epsilon in enumerate(EPSILONS):
            ranked = summary.best(table, epsilon, measure)
            if len(ranked) > 1 and ranked[0][1] == method.name:
                cells[index] = f"**{cells[index]}**"
    return None if all(cell == "not run yet" or cell == "–" for cell in cells) else [method.label, *cells]


def _cell(summary, measure, table, method, epsilon):
    lines = summary.group(table, method, epsilon)
    values = summary.values(table, method, epsilon, measure)
    text = ""
    if values:
        text = number(median(values), measure)
        if len(values) > 1:
            text += f" ({number(min(values), measure)} to {number(max(values), measure)})"
        if measure.key == "regression":
            lost = sum(line["metrics"]["regressions_failed"] for line in lines if "metrics" in line)
            text += f", {lost} not computable" if lost else ""
    elif any(line["status"] == "ok" for line in lines):
        text = "–"
    for status, word in (("failed", "failed"), ("timeout", "over the time limit")):
        count = sum(line["status"] == status for line in lines)
        if count:
            text += (", " if text else "") + (f"{count} {word}" if len(lines) > 1 else word)
    return text


def times(summary):
    """On what machine, as recorded with the runs."""
    machines = [line["machine"] for line in summary.lines if "machine" in line]
    if not machines:
        return "The machine was not recorded."
    cores = sorted({machine["cores"] for machine in machines})
    load = median(machine["load"] for machine in machines)
    runs = [
        len(summary.group(*key)) for key in {(line["table"], line["method"], line["epsilon"]) for line in summary.lines}
    ]
    text = f"One run at a time, one thread each, on a machine with {' or '.join(map(str, cores))} cores. There are {min(runs)} to {max(runs)} runs of a kind. "
    if load > min(cores) / 2:
        text += f"The machine was busy with other work: its load was {load:.1f} when a run began (median). Wall-clock times are therefore rough, processor times less so."
    return fill(text)


def failures(summary):
    found = summary.failures()
    if not found:
        yield "None so far."
        return
    rows = [
        [
            line["table"],
            label(line["method"]),
            f"{line['epsilon']:g}",
            str(line["seed"]),
            f"{line['status']}: {line['reason']}".replace("|", "\\|"),
        ]
        for line in found
    ]
    yield markdown(["table", "method", "epsilon", "seed", "what happened"], rows)


def markdown(head, rows):
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def number(value, measure):
    return f"{value:.{measure.digits}f}"


def ordinal(count):
    return {1: "first", 2: "second", 3: "third"}.get(count, f"{count}th")


def fill(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _count(summary, status):
    return sum(line["status"] == status for line in summary.lines)

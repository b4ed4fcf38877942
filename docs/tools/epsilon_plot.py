"""The plot of docs/choosing-epsilon.md, as plain SVG: the same bytes for the same numbers."""

from __future__ import annotations

import math
import statistics

COLOURS = ["#0b6e69", "#4aa8a2", "#a2522a", "#d99b6c"]
LEFT, TOP, WIDTH, HEIGHT = 60, 20, 430, 300
LOWEST, HIGHEST = 0.1, 0.7


def across(epsilon: float) -> float:
    """Where an epsilon is: doubling is one step."""
    return LEFT + 25 + (math.log2(epsilon) + 2) * (WIDTH - 50) / 5


def down(distance: float) -> float:
    """Where a distance is."""
    return TOP + HEIGHT * (HIGHEST - distance) / (HIGHEST - LOWEST)


def drawn(rows: list[dict[str, str]], names: dict[tuple[str, str], str], control: float) -> str:
    """Two-way distance by epsilon: medians as lines, lowest and highest as bars, the control as a dashed line."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 380" font-family="system-ui, sans-serif" font-size="13">',
        "<title>Two-way distance of releases of the example table, by epsilon</title>",
        '<rect width="760" height="380" fill="#fff"/>',
    ]
    for tick in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        y = down(tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{LEFT + WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#333">{tick:g}</text>')
    for epsilon in (0.25, 0.5, 1, 2, 4, 8):
        parts.append(f'<text x="{across(epsilon):.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle" fill="#333">{epsilon:g}</text>')
    parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 44}" text-anchor="middle" fill="#333">epsilon</text>')
    middle = TOP + HEIGHT / 2
    parts.append(f'<text x="16" y="{middle}" text-anchor="middle" fill="#333" transform="rotate(-90 16 {middle})">two-way distance</text>')
    parts.append(f'<path d="M{LEFT} {down(control):.1f}H{LEFT + WIDTH}" stroke="#666" stroke-dasharray="5 4"/>')
    parts.append(f'<text x="{LEFT + WIDTH + 10}" y="{down(control) + 4:.1f}" fill="#666">shuffled control</text>')
    for index, ((kind, delta), name) in enumerate(names.items()):
        colour = COLOURS[index]
        points = []
        for epsilon in (0.25, 0.5, 1, 2, 4, 8):
            these = [r for r in rows if (r["schema"], r["delta"], float(r["epsilon"])) == (kind, delta, epsilon)]
            values = [float(row["two_way"]) for row in these if row["two_way"]]
            if not values:
                continue
            x, y = across(epsilon) + 4 * index - 6, down(statistics.median(values))
            points.append(f"{x:.1f} {y:.1f}")
            parts.append(f'<path d="M{x:.1f} {down(min(values)):.1f}V{down(max(values)):.1f}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        parts.append(f'<path d="M{" L".join(points)}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts.append(f'<circle cx="{LEFT + WIDTH + 18}" cy="{TOP + 20 + 24 * index}" r="5" fill="{colour}"/>')
        parts.append(f'<text x="{LEFT + WIDTH + 32}" y="{TOP + 25 + 24 * index}" fill="#222">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])

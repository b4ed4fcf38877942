"""Formulas become MathML when the site is built: browsers show it without a script."""

from __future__ import annotations

import html
import re

from latex2mathml.converter import convert

INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)


def on_page_content(content: str, page, config, files) -> str:
    """The page with its formulas as MathML."""
    content = BLOCK.sub(lambda m: '<div class="formula">' + convert(html.unescape(m[1]).strip(), display="block") + "</div>", content)
    return INLINE.sub(lambda m: convert(html.unescape(m[1]).strip()), content)

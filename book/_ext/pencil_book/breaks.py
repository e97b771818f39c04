"""Let a long name of code in running text break behind an underscore, and not anywhere, where a line or a column is narrow."""

import re

LONG = re.compile(r"\w{13,}", re.ASCII)


def break_names(page):
    """Put a `<wbr>` behind the underscores inside every long name."""
    for code in page.find_all("code"):
        if code.find_parent("pre"):
            continue
        for text in [text for text in code.find_all(string=LONG) if "_" in text]:
            pieces = re.split(r"(?<=[^\W_]_)(?=[^\W_])", text)
            text.replace_with(*[part for piece in pieces for part in (page.new_tag("wbr"), piece)][1:])

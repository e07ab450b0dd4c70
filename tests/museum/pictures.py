"""The pictures of the museum that `watchlab draw` does not draw, and what is cut off those that it does."""

import html
import re
import textwrap

STEPS_DRAWN = 16  # of a long run, as columns
TALLEST = 1500  # points of a picture
RED, GREY, INK = "#c0392b", "#808080", "#2c3e50"


def columns_picture(title, lines):
    """An SVG of text in columns, of (colour, line); what is said between rows is grey."""
    width = 40 + 7 * max(len(line) for line in [title, *(line for _, line in lines)])
    height = 60 + 16 * len(lines)
    rows = [f'<text x="20" y="28" font-size="15">{html.escape(title)}</text>']
    for i, (color, line) in enumerate(lines):
        rows.append(f'<text x="20" y="{56 + 16 * i}" fill="{color}" xml:space="preserve">'
                    f"{html.escape(line)}</text>")
    body = "\n".join(rows)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans Mono,monospace" '
            f'font-size="11.5">\n<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n')


def happened_lines(text, shown):
    """What happened, with the colour of each line; of a long run the last so many."""
    lines = [line[2:] for line in text.rstrip().split("\n")]
    if "steps before are left out" in lines[0]:
        lines = ["… what came before is left out", *lines[-shown:]]
    return [(RED if "STUCK" in line or "PANIC" in line else
             GREY if line.strip().startswith(("--", "…")) else INK, line) for line in lines]


def described(slug, kind, explained):
    """The picture of what `explain` prints of a failing run; "" when that does not say what happened."""
    parts = dict(re.findall(r"^(What [a-z ]+):\n((?: .*\n)+)", explained, re.MULTILINE))
    if "What happened" not in parts:
        return ""
    lines = []
    for title, color in (("What went wrong", RED), ("What makes the difference", INK)):
        if title in parts:
            lines += [(GREY, title)]
            for line in parts[title].rstrip().split("\n"):
                lines += [(color, part) for part in textwrap.wrap(line, 130, initial_indent="  ",
                                                                  subsequent_indent="    ")]
            lines += [(INK, "")]
    # What is found false is found at the end, when all else is over.
    shown = 4 if kind == "violation" else STEPS_DRAWN
    lines += [(GREY, "What happened"), *happened_lines(parts["What happened"], shown)]
    return columns_picture(slug, lines)


def crop(picture):
    """Cuts off what a tall picture repeats: what repeats indefinitely has been seen by then."""
    text = picture.read_text(encoding="utf-8")
    size = re.search(r'height="(\d+)pt"\n viewBox="0.00 0.00 [\d.]+ ([\d.]+)"', text)
    if size is None or int(size.group(1)) <= TALLEST:
        return
    head = size.group(0).replace(size.group(1), str(TALLEST), 1).replace(size.group(2), str(TALLEST))
    end = (f'<rect y="{TALLEST - 40}" width="100%" height="80" fill="white"/>\n'
           f'<text x="30" y="{TALLEST - 14}" font-family="sans-serif" fill="{GREY}">'
           "… and so on</text>\n</svg>")
    picture.write_text(text.replace(size.group(0), head).replace("</svg>", end), encoding="utf-8")

"""Measures the tree; see tests/lanes/measure.sh."""
import argparse
import collections
import json
import pathlib
import re
import signal
import statistics

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("core", "sim", "scenarios", "exercises", "tests")
NO_FUNCTION = re.compile(
    r"//|#|(namespace|class|struct|enum|union|if|for|while|switch|else|do|try|catch|return|case|extern)\b"
    r"|[})\]]|.*=\s*(\[.*)?\{$|.*\[[^\]]*\]\s*(\(.*)?\{$"
)


HEAD = re.compile(
    r"\)(\s*(const|noexcept|override|final|&&?|->\s*[\w:<>,&* ]+))*\s*\{$"
    r"|\)\s*(noexcept\s*)?:\s*\w.*\{$"
)


def is_test(path):
    return path.parts[0] == "tests"


def is_handed_out(path):
    """Whether a file is material of an exercise: what students get, solve or are graded with."""
    return path.parts[0] == "exercises" and path.parts[1][0].isdigit()


def sources():
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.[ch]pp")):
            yield path.relative_to(ROOT)


def divided(lines):
    """How many lines are code and how many are comment alone."""
    code = comment = 0
    inside = False
    for line in lines:
        text = line.strip()
        if inside or text.startswith(("//", "/*")):
            comment += 1
            inside = (inside or text.startswith("/*")) and "*/" not in text
        elif text:
            code += 1
    return code, comment


def functions(lines):
    """The lengths of functions: from a head that opens a brace to the brace under its first letter."""
    lengths = []
    at = 0
    while at < len(lines):
        line = lines[at]
        indent = len(line) - len(line.lstrip())
        if indent > 2 or not line.rstrip() or NO_FUNCTION.match(line.strip()):
            at += 1
            continue
        head = at
        while at < len(lines) and not lines[at].rstrip().endswith(("{", ";", ":", "}", "\\")):
            at += 1
        joined = " ".join(part.strip() for part in lines[head : at + 1])
        opens = at < len(lines) and lines[at].rstrip().endswith("{")
        if not opens or NO_FUNCTION.match(joined) or not HEAD.search(joined):
            at = max(at, head) + 1
            continue
        closing = " " * indent + "}"
        end = at + 1
        while end < len(lines) and lines[end].rstrip() != closing:
            end += 1
        if end < len(lines):
            lengths.append(end - head + 1)
        at = end + 1 if end < len(lines) else at + 1
    return lengths


def share(part, whole):
    return round(100 * part / whole, 1) if whole else 0.0


def measured():
    count = collections.Counter()
    files = {}
    lengths = []
    folders = collections.Counter()
    for path in sources():
        lines = (ROOT / path).read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
        code, comment = divided(lines)
        kind = "tests" if is_test(path) else "exercises" if is_handed_out(path) else "product"
        count[kind] += code
        count[f"{kind} {path.suffix} comment"] += comment
        count[f"{kind} {path.suffix} code"] += code
        if kind != "exercises":
            files[str(path)] = len(lines)
            folders[str(path.parent)] += 1
            lengths += functions(lines)
    product = [size for path, size in files.items() if not path.startswith("tests/")]
    largest, largest_files = folders.most_common(1)[0]
    return {
        "lines of code, not tests": count["product"],
        "lines of code, tests": count["tests"],
        "lines of code, material of exercises": count["exercises"],
        "share of tests, %": share(count["tests"], count["tests"] + count["product"]),
        "files": len(files),
        "median file, lines": statistics.median(files.values()),
        "median file without tests, lines": statistics.median(product),
        "longest file, lines": max(files.values()),
        "files of at most 30 lines": sum(size <= 30 for size in files.values()),
        "largest folder": largest,
        "largest folder, files": largest_files,
        "folders of more than 45 files": sum(size > 45 for size in folders.values()),
        "functions": len(lengths),
        "median function, lines": statistics.median(lengths),
        "longest function, lines": max(lengths),
        "comments in headers, %": share(
            count["product .hpp comment"],
            count["product .hpp comment"] + count["product .hpp code"]),
        "comments in sources, %": share(
            count["product .cpp comment"],
            count["product .cpp comment"] + count["product .cpp code"]),
    }


def main():
    parser = argparse.ArgumentParser(prog="./dev measure")
    parser.add_argument("--json", action="store_true", help="one object instead of the table")
    call = parser.parse_args()
    rows = measured()
    if call.json:
        print(json.dumps(rows))
        return
    width = max(map(len, rows))
    for name, value in rows.items():
        print(f"{name:<{width}}  {value:,}" if not isinstance(value, str)
              else f"{name:<{width}}  {value}")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    main()

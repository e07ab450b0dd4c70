#!/usr/bin/env python3
"""Compares what others build on with what the last release had.

What a release has stands in tests/api, a line for each thing: what public headers declare (headers.txt, as Doxygen
reads them), what libraries export of that (a file for each soname, as nm shows it), commands and options
(commands.txt), what these answer (answers.txt: exit statuses, fields of --json), and keys of scenario files
(scenario_keys.txt). Layouts of structs are not compared.

    public_api.py [--release]

Prints what was added and what is gone, then whether it would notice; at the very end `N passed, N failed`. Sees too that all who name the version name the same one. With
--release the lists are written anew, unless something is gone that may not be. Exit 0 nothing is gone, 1 something
is, 2 the call was wrong.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from answers import answers

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = ROOT / "tests/api"
BUILT = ROOT / "build/release"
LIBRARIES = {"core": "core", "port": "core", "client": "core", "sim": "sim", "scenarios": "scenarios"}


def output_of(*command, given=None):
    return subprocess.run(command, input=given, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def words_of(element):
    """The text of an element and all within it, on one line."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def signature_of(member):
    """A function as its callers see it: types of parameters, and which may be left out."""
    parameters = []
    for parameter in member.findall("param"):
        left_out = " =" if parameter.find("defval") is not None else ""
        parameters.append(words_of(parameter.find("type")) + words_of(parameter.find("array")) + left_out)
    after = member.findtext("argsstring") or ""
    qualifiers = " const" if re.search(r"\) const", after) else ""
    result = words_of(member.find("type"))
    return f"({', '.join(parameters)}){qualifiers}{' -> ' + result if result else ''}"


def line_of(member, owner):
    kind, name = member.get("kind"), f"{owner}{member.findtext('name')}"
    if kind == "function":
        return f"function {name}{signature_of(member)}"
    if kind in ("variable", "typedef"):
        return f"{kind} {name}: {words_of(member.find('type'))}{member.findtext('argsstring') or ''}"
    return f"{kind} {name}"


def declared(headers):
    """What these headers declare for others: the lines, and the names of its functions and classes."""
    with tempfile.TemporaryDirectory() as place:
        settings = [f"OUTPUT_DIRECTORY = {place}", "GENERATE_HTML = NO", "GENERATE_LATEX = NO", "GENERATE_XML = YES",
                    "XML_PROGRAMLISTING = NO", "EXTRACT_ALL = YES", "QUIET = YES", "WARNINGS = NO",
                    "FULL_PATH_NAMES = YES", f"STRIP_FROM_PATH = {ROOT}", "INPUT = " + " ".join(map(str, headers))]
        output_of("doxygen", "-", given="\n".join(settings))
        compounds = [xml.parse(path).getroot()[0] for path in sorted(pathlib.Path(place, "xml").glob("*watchlab*.xml"))]
    lines, names = set(), set()
    for compound in compounds:
        if compound.get("kind") not in ("class", "struct", "union", "namespace") or compound.get("prot") == "private":
            continue
        scope = words_of(compound.find("compoundname"))
        if compound.get("kind") != "namespace":
            lines.add(f"{compound.get('kind')} {scope}")
            names.add(scope)
        for member in compound.iter("memberdef"):
            if member.get("prot") == "private" or member.get("kind") == "friend":
                continue
            lines.add(line_of(member, scope + "::"))
            names.add(f"{scope}::{member.findtext('name')}")
            for value in member.findall("enumvalue"):
                lines.add(f"value {scope}::{member.findtext('name')}::{value.findtext('name')}")
    return lines, names


def exported(library, names):
    """What a library defines of what is declared; not what each program makes of headers for itself."""
    found = set()
    for line in output_of("nm", "-DC", "--defined-only", library).splitlines():
        kind, symbol = line.split(" ", 2)[1:]
        name = re.sub(r"\[abi:\w+\]", "", re.match(r"[^(]*(?:operator\(\))?", symbol).group())
        name = re.sub(r"^(vtable|typeinfo) for ", "", name)
        if kind in "TDBR" and name in names:
            found.add(symbol)
    return found


def commands():
    """Commands and their options, out of what completes them."""
    found = set()
    for line in output_of(BUILT / "scenarios/cli/watchlab", "completion", "fish").splitlines():
        command = re.search(r"-n __fish_use_subcommand -f -a (\S+)", line)
        option = re.search(r"__watchlab_is (\S+)'(?: -s .)? -l (\S+)", line)
        if command:
            found.add(command[1])
        elif option:
            found.add(f"{option[1]} --{option[2]}")
    return found


def scenario_keys():
    """Keys of scenario files, and the words that a value may be."""
    schema = json.loads((ROOT / "docs/scenario.schema.json").read_text())
    found = set()

    def visit(what, part):
        if isinstance(part, list):
            for each in part:
                visit(what, each)
        elif isinstance(part, dict):
            for word in part.get("enum", []):
                found.add(f"{what}: {word}")
            for key, value in part.get("properties", {}).items():
                found.add(f"{what}.{key}")
                visit(f"{what}.{key}", value)
            for key in ("items", "anyOf", "oneOf", "additionalProperties"):
                visit(what, part.get(key))

    visit("scenario", schema)
    for name, part in schema["$defs"].items():
        visit(name, part)
    return found


def version():
    return re.search(r"^  version: '(.*)',$", (ROOT / "meson.build").read_text(), re.MULTILINE)[1]


def now():
    """What there is today: the name of each list and its lines."""
    headers = output_of(ROOT / "tests/public_headers.sh").split()
    lines, names = declared(headers)
    lists = {"headers": lines, "commands": commands(), "scenario_keys": scenario_keys(),
             "answers": answers(BUILT / "scenarios/cli/watchlab", ROOT)}
    for library, folder in LIBRARIES.items():
        lists[f"libwatchlab-{library}"] = exported(BUILT / folder / f"libwatchlab-{library}.so", names)
    return lists


def released():
    """What the last release had, and its version."""
    lists = {path.stem: set(path.read_text().splitlines()) for path in LISTS.glob("*.txt")}
    return lists, (LISTS / "version").read_text().strip()


def compare(before, after, last, current):
    """The lines to print, and whether what is gone may be gone."""
    said = []
    gone = {name: sorted(lines - after.get(name, set())) for name, lines in before.items()}
    may_remove = last.rsplit(".", 1)[0] != current.rsplit(".", 1)[0]
    for name, lines in sorted(after.items()):
        added = sorted(lines - before.get(name, set()))
        said += [f"added   {name}: {line}" for line in added]
    for name, lines in sorted(gone.items()):
        said += [f"removed {name}: {line}" for line in lines]
    removed = sum(map(len, gone.values()))
    if removed and not may_remove:
        said.append(f"{removed} of {last} {'is' if removed == 1 else 'are'} gone, and programs, scripts or scenarios use "
                    f"{'it' if removed == 1 else 'them'}: put {'it' if removed == 1 else 'them'} back, or raise the "
                    f"minor version in meson.build, say so in CHANGELOG.md, and run ./dev api --release "
                    f"(docs/stability.md)")
    return said, may_remove or not removed


SECTION = r"^## (\d+\.\d+\.\d+) \((unreleased|\d{4}-\d\d-\d\d)\)$"
# Who else names a version, and how: a pattern for each file, all of whose finds have to be the version or its beginning.
NAMED = {
    "docs/packaging/vcpkg/vcpkg.json": r'"version-semver": "([^"]*)"',
    "docs/packaging/watchlab.wrap": r"^revision = v(.*)$",
    "docs/packaging/conan/conanfile.py": r"--version (\d[\d.]*\d)",
    "docs/packaging/README.md": r"(?:watchlab[-_/]|--version |@v|\(watchlab )(\d+\.\d+(?:\.\d+)?)",
    "docs/example-project/CMakeLists.txt": r"find_package\(watchlab (\S+)",
    "docs/library.md": r"find_package\(watchlab ([\d.]+)\)",
}


def disagreements(changes, gone):
    """Where files name another version than meson.build, a line each; `changes` is CHANGELOG.md."""
    current, said = version(), []
    headings = [line for line in changes.splitlines() if line.startswith("## ")]
    said += [f"CHANGELOG.md: expected `## 0.1.0 (2026-01-31)` or (unreleased), not `{line}`"
             for line in headings if not re.match(SECTION, line)]
    versions = [tuple(map(int, found.split("."))) for found, _ in re.findall(SECTION, changes, re.MULTILINE)]
    if versions != sorted(set(versions), reverse=True):
        said.append("CHANGELOG.md: the newest version stands first, and each once")
    if versions[:1] != [tuple(map(int, current.split(".")))]:
        said.append(f"CHANGELOG.md: its first section is not {current}, the version in meson.build")
    if re.findall(SECTION, changes, re.MULTILINE)[1:] and "unreleased" in changes.split("\n## ", 2)[-1].splitlines()[0]:
        said.append("CHANGELOG.md: only the first section may be unreleased")
    newest = changes.split("\n## ")[1] if headings else ""
    if gone and not re.search(r"^### (Removed|Changed)$", newest, re.MULTILINE):
        said.append(f"CHANGELOG.md: something is gone, and {current} has neither Removed nor Changed")
    for file, pattern in NAMED.items():
        found = re.findall(pattern, (ROOT / file).read_text(), re.MULTILINE)
        said += [f"{file}: it names {each} and meson.build {current}" for each in found if f"{current}.".find(f"{each}.") != 0]
        said += [] if found else [f"{file}: it names no version"]
    for library, folder in LIBRARIES.items():
        soname = re.search(r"SONAME\s+(\S+)", output_of("objdump", "-p", BUILT / folder / f"libwatchlab-{library}.so"))[1]
        wanted = f"libwatchlab-{library}.so.{current.rsplit('.', 1)[0]}"
        said += [] if soname == wanted else [f"{soname} is not {wanted}"]
    return said


def agree(gone):
    """Prints where versions disagree, and whether that would be noticed; how many of the two failed."""
    changes = (ROOT / "CHANGELOG.md").read_text()
    said = disagreements(changes, gone)
    print("\n".join(said + [f"{'FAIL' if said else 'held'}  all who name the version name {version()}"]))
    wrong = {"another version": changes.replace(f"## {version()} (", "## 9.9.9 (", 1), "no day": changes.replace("(unreleased)", "", 1),
             "a removal without a word": re.sub(r"^### (Removed|Changed)$", "### Of no kind", changes, flags=re.MULTILINE)}
    missed = [what for what, text in wrong.items() if not disagreements(text, what.startswith("a removal"))]
    print(f"{'FAIL' if missed else 'held'}  {', '.join(missed or wrong)}: {'not ' if missed else ''}noticed")
    return bool(said) + bool(missed)


def write(lists):
    for name, lines in lists.items():
        (LISTS / f"{name}.txt").write_text("".join(f"{line}\n" for line in sorted(lines)))
    (LISTS / "version").write_text(version() + "\n")


def unnoticed(lists):
    """Of a function, a command, an answer and a key: which are not missed. The header that loses a function is a copy."""
    text = (ROOT / "core/cache/key.hpp").read_text()
    with tempfile.TemporaryDirectory() as place:
        copies = [pathlib.Path(place, name) for name in ("whole.hpp", "without.hpp")]
        copies[0].write_text(text)
        copies[1].write_text(re.sub(r"^\[\[nodiscard\]\][^;{]*;", "", text, count=1, flags=re.MULTILINE))
        whole, without = (declared([copy])[0] for copy in copies)
    losses = {"headers": whole - without, "commands": {"run --junit"}, "scenario_keys": {"a_client.kind"},
              "answers": {"run broken.yaml: exit 1"}}
    missed = []
    for name, lines in losses.items():
        fewer = lists | {name: lists[name] - lines}
        is_refused = not compare(lists, fewer, "0.1.0", "0.1.1")[1]
        is_allowed = compare(lists, fewer, "0.1.0", "0.2.0")[1]
        if len(lines) != 1 or not lines <= lists[name] or not is_refused or not is_allowed:
            missed.append(name)
        print(f"{'FAIL' if name in missed else 'held'}  {', '.join(sorted(lines)) or name} is missed when it is gone")
    return len(missed), len(losses)


def main(arguments):
    if arguments not in ([], ["--release"]):
        print("public_api.py: expected --release or nothing", file=sys.stderr)
        return 2
    lists = now()
    before, last = released()
    said, held = compare(before, lists, last, version())
    print("\n".join(said) or f"nothing was added and nothing removed since {last}")
    if held and arguments:
        write(lists)
        print(f"tests/api has what {version()} has now")
    print(f"{'held' if held else 'FAIL'}  {sum(map(len, lists.values()))} things to build on")
    failed, tried = unnoticed(lists)
    failed += (not held) + agree(held and any(line.startswith("removed") for line in said))
    print(f"{3 + tried - failed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Builds modules with bugs in core, each as what it changes of the module: variants.py TREE OUT WHAT...

WHAT is a piece of the museum, `levels`, `course` (the broken builds of its exercises), or `museum`, for all of them. TREE
is an up-to-date build of the plain module, which goes to OUT/module.wasm and OUT/module.mjs. OUT/NAME.bin is a row of (how
many bytes are new, these bytes, how many follow as they are in the module, from where), numbers in 7 bits a byte, the
least first; OUT/variants.json lists all that are of this module. Prints a line for each: its name, the seconds of
compiling and linking, and bytes.
Exit: 0 all are built, 1 one is not, which is named, 2 there is no such piece.
"""

import json
import pathlib
import re
import shutil
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/variants"))
import variant

MODULE = "scenarios/wasm/watchlab-plain-module.mjs"
OF_CORE = re.compile(r"scenarios/wasm/libwatchlab-wasm-(kernel|port|world|seldom)\.a\.p/")
BLOCK = 32  # bytes that are looked for


def units_that_read(tree, files):
    entries = json.loads((tree / "compile_commands.json").read_text(encoding="utf-8"))
    units = [variant.Unit(tree, entry) for entry in entries if OF_CORE.match(entry["output"])]
    headers = [re.compile(rf"/{re.escape(file)}$", re.MULTILINE) for file in files if not file.endswith(".cpp")]
    return [unit for unit in units if set(files) & set(unit.sources) or
            any(header.search(variant.dependencies(tree, unit.object_file)) for header in headers)]


def archive_with(tree, archive, replaced, out):
    """The archive with other objects at the same places, so that what is linked stands in the same order."""
    words = variant.link_command(tree, archive)
    words = words[words.index("&&") + 1:] if "&&" in words else words
    target = out / pathlib.Path(archive).name
    target.unlink(missing_ok=True)
    names = {archive: str(target), **replaced}
    made = variant.run_quietly([names.get(word, word) for word in words], tree)
    if made.returncode:
        raise variant.BrokenPatch(f"{archive} is not made: {made.stderr.strip()[:600]}")
    return str(target)


def build(patch, tree, out):
    """Leaves the module, and how it is called, in OUT."""
    files = variant.touched_files(patch)
    variant.apply(patch, files, out / "source")
    units = units_that_read(tree, files)
    if not units:
        raise variant.BrokenPatch(f"{patch} changes nothing that the module is made of")
    # The same code otherwise, so that what it changes is little.
    objects = [variant.compile_unit(tree, unit, out, ("-Wno-error",)) for unit in units]
    replaced = {MODULE: str(out / pathlib.Path(MODULE).name)}
    for archive in {unit.object_file.partition(".p/")[0] for unit in units}:
        replaced[archive] = archive_with(tree, archive, dict(zip((unit.object_file for unit in units), objects)), out)
    words = [replaced.get(word, word) for word in variant.link_command(tree, MODULE)]
    linked = variant.run_quietly(words, tree)
    if linked.returncode:
        raise variant.BrokenPatch(f"{patch}: it does not link: {linked.stderr.strip()[:600]}")


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out + bytes([value]))


def common(one, i, other, j):
    """How many bytes are the same from there on."""
    length, step = 0, 4096
    while step:
        if one[i + length:i + length + step] == other[j + length:j + length + step] and j + length + step <= len(other) and i + length + step <= len(one):
            length += step
        else:
            step //= 2
    return length


def changes(module, other):
    """What makes `other` of `module`."""
    places = {}
    for i in range(0, len(module) - BLOCK, BLOCK):
        places.setdefault(module[i:i + BLOCK], i)
    out, at, fresh = [], 0, 0
    while at < len(other):
        place = places.get(other[at:at + BLOCK])
        if place is None:
            at += 1
            continue
        length = common(module, place, other, at)
        while at > fresh and place > 0 and module[place - 1] == other[at - 1]:
            at, place, length = at - 1, place - 1, length + 1
        out += [number(at - fresh), other[fresh:at], number(length), number(place)]
        at = fresh = at + length
    return b"".join([*out, number(len(other) - fresh), other[fresh:], number(0), number(0)])


def patch_of(piece):
    return pathlib.Path("scenarios/museum") / piece / "defect.patch"


def named(what):
    """The patches that WHAT names, by the names of their modules."""
    if what == "levels":
        texts = [level.read_text(encoding="utf-8") for level in sorted((variant.ROOT / "exercises/break-it").glob("*.yaml"))]
        return {piece: patch_of(piece) for text in texts for piece in re.findall(r"^variant: (\S+)", text, re.MULTILINE)}
    if what == "course":
        cases = {file.parent.name: file.read_text(encoding="utf-8") for file in sorted(variant.ROOT.glob("exercises/*/cases.yaml"))}
        return {f"{slug}/{build}": pathlib.Path(patch) for slug, text in cases.items()
                for build, patch in re.findall(r"^ *- id: (\S+)\n *patch: (\S+)", text, re.MULTILINE)}
    if what == "museum":
        return {patch.parent.name: patch.relative_to(variant.ROOT) for patch in sorted(variant.ROOT.glob("scenarios/museum/*/defect.patch"))}
    if not (variant.ROOT / patch_of(what)).exists():
        print(f"{what}: there is no such piece of the museum with a defect in core; expected one, or levels, course or museum")
        sys.exit(2)
    return {what: patch_of(what)}


def write(name, patch, tree, out):
    """Leaves OUT/NAME.bin."""
    began = time.monotonic()
    folder = out / "built" / name
    folder.mkdir(parents=True, exist_ok=True)
    build(variant.ROOT / patch, tree, folder)
    module = (tree / MODULE).with_suffix(".wasm").read_bytes()
    built = folder / pathlib.Path(MODULE).name
    # The same functions, in any order.
    if sorted(re.split("[;\n]", built.read_text(encoding="utf-8"))) != sorted(re.split("[;\n]", (tree / MODULE).read_text(encoding="utf-8"))):
        raise variant.BrokenPatch(f"{patch}: its module is called in another way than that of the tree")
    other = built.with_suffix(".wasm").read_bytes()
    changed = changes(module, other)
    shutil.rmtree(folder)
    (out / f"{name}.bin").parent.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.bin").write_bytes(changed)
    print(f"{name}: {time.monotonic() - began:.0f} s, {len(other)} bytes, {len(changed)} as changes", flush=True)


def main():
    tree, out = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    wanted = {name: patch for what in sys.argv[3:] for name, patch in named(what).items()}
    module = (tree / MODULE).with_suffix(".wasm")
    for old in out.rglob("*.bin"):
        if not module.exists() or old.stat().st_mtime < module.stat().st_mtime:
            old.unlink()
    done = {}  # a patch may have several names
    for name, patch in wanted.items():
        file = out / f"{name}.bin"
        try:
            if patch in done:
                file.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(done[patch], file)
            elif not file.exists() or file.stat().st_mtime < (variant.ROOT / patch).stat().st_mtime:
                write(name, patch, tree, out)
        except variant.BrokenPatch as broken:
            print(f"{name}: {broken}")
            return 1
        done[patch] = file
    names = sorted(str(file.relative_to(out).with_suffix("")) for file in out.rglob("*.bin"))
    listed = {"variants": [name for name in names if "/" not in name], "builds": [name for name in names if "/" in name]}
    if names:
        shutil.copyfile(tree / MODULE, out / "module.mjs")
        shutil.copyfile((tree / MODULE).with_suffix(".wasm"), out / "module.wasm")
    (out / "variants.json").write_text(json.dumps(listed) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

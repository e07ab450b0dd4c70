#!/usr/bin/env python3
"""Writes build/cross/TARGET/build.ninja, which builds the engine for another system with Clang and libc++.

  cross.py ROOT TARGET LIBRARIES COMPILER...

LIBRARIES has the headers of Boost and fmt in include, the source of yaml-cpp in yaml-cpp, and Boost.Context's in context.
Which sources the engine has, meson says of build/release. They are compiled many at once. Nothing of them asks for a
library that is compiled, but for yaml-cpp, which is compiled beside them. Target `engine` is the program of
tests/packaging/engine.cpp, target `objects` all that it is made of.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

LIBRARIES = ("watchlab-kernel", "watchlab-port", "watchlab-world", "watchlab-language")
UNIT = 8  # sources
# Stories whose clients are programs need Linux, and whatever else they are linked with is none of the engine.
PROGRAMS = ("go_client.cpp", "lockstep_library.cpp", "program_start.cpp", "program_state.cpp")
NO_PROGRAMS = """#include "sim/story/client.hpp"
#include "sim/story/story.hpp"
namespace watchlab::sim {
std::shared_ptr<Client> make_go_client(std::shared_ptr<StoryStage>, StoryClientOptions) {
  throw StoryError("a client that is a program needs Linux");
}
}
"""
ALONE = "_windows.cpp"  # their headers define words of ours as macros
FLAGS = """-Wall -Wextra -Wno-missing-field-initializers -DFMT_HEADER_ONLY -DBOOST_ALLOW_DEPRECATED_HEADERS
    -DBOOST_ALL_NO_LIB -DBOOST_CONTEXT_STATIC_LINK -DBOOST_CONTEXT_EXPORT= -DYAML_CPP_STATIC_DEFINE"""
PLAYED = ("libc++", "aarch64-linux")  # of the others the optimizer has nothing to show
SYSTEM = {"x86_64-windows": "-lws2_32"}  # Asio begins with sockets wherever it is included
# What Boost calls its assembly.
ASSEMBLY = {"aarch64-linux": "arm64_aapcs_elf_gas.S", "aarch64-macos": "arm64_aapcs_macho_gas.S",
            "x86_64-windows": "x86_64_ms_pe_clang_gas.S"}


def targets_of(root):
    """What meson says of the targets of build/release, by name."""
    found = subprocess.run(["meson", "introspect", "--targets", root / "build/release"], check=True, capture_output=True)
    return {target["name"]: target for target in json.loads(found.stdout)}


def macros_of_the_engine(targets):
    """Our own macros that its libraries are compiled with."""
    return sorted({word for name in LIBRARIES for group in targets[name]["target_sources"]
                   for word in group.get("parameters", []) if word.startswith("-DWATCHLAB_")})


def sources_of_the_engine(root, targets):
    """The sources of each library, as lists."""
    for name in LIBRARIES:
        listed = [pathlib.Path(path) for group in targets[name]["target_sources"]
                  for path in group.get("sources", []) + group.get("generated_sources", [])]
        # Meson lists units of several sources, each of which is a line of its unit.
        together = [pathlib.Path(os.path.normpath(path)) for unit in listed if "-unity" in unit.name
                    for path in re.findall(r'#include\s*[<"](.*)[>"]', unit.read_text())]
        yield name, sorted({path for path in listed + together if path.suffix == ".cpp" and path.is_relative_to(root)
                            and not path.is_relative_to(root / "build")})


def units(name, sources, place):
    """Files that include so many sources each; those that stay alone as they are."""
    alone = [path for path in sources if path.name.endswith(ALONE)]
    together = [path for path in sources if path not in alone and path.name not in PROGRAMS]
    for i in range(0, len(together), UNIT):
        unit = place / f"{name}-{i // UNIT}.cpp"
        text = "".join(f'#include "{path}"\n' for path in together[i:i + UNIT])
        if not unit.exists() or unit.read_text() != text:
            unit.write_text(text)
        yield unit
    yield from alone


def main(root, target, libraries, compiler):
    root, libraries = pathlib.Path(root), pathlib.Path(libraries)
    place = root / "build/cross" / target
    place.mkdir(parents=True, exist_ok=True)
    includes = f"-I{root} -isystem {libraries}/include -isystem {libraries}/yaml-cpp/include"
    targets = targets_of(root)
    includes += "".join(f" {shlex.quote(word)}" for word in macros_of_the_engine(targets))
    effort = "-O1" if target in PLAYED else "-O0"
    lines = [f"cxx = {' '.join(compiler)}", f"flags = -std=c++20 {effort} {' '.join(FLAGS.split())} {includes}",
             "rule cxx", "  command = $cxx $flags -MMD -MF $out.d -c $in -o $out", "  depfile = $out.d", "  deps = gcc",
             "rule as", "  command = $cxx -c $in -o $out", "rule link", f"  command = $cxx $in -o $out {SYSTEM.get(target, '')}"]
    stub = place / "no-programs.cpp"
    stub.write_text(NO_PROGRAMS)
    json_unit = place / "boost-json.cpp"
    json_unit.write_text("#include <boost/json/src.hpp>\n")
    inputs = [unit for name, sources in sources_of_the_engine(root, targets) for unit in units(name, sources, place)]
    inputs += [root / "tests/packaging/engine.cpp", stub, json_unit, *sorted((libraries / "yaml-cpp/src").glob("*.cpp"))]
    if target in ASSEMBLY:
        inputs += [libraries / "context" / f"{verb}_{ASSEMBLY[target]}" for verb in ("jump", "make")]
    objects = []
    for path in inputs:
        objects.append(f"objects/{path.name}.o")
        lines.append(f"build {objects[-1]}: {'as' if path.suffix == '.S' else 'cxx'} {path}")
        if libraries in path.parents:
            lines.append("  flags = $flags -w")
    lines += [f"build objects: phony {' '.join(objects)}", f"build engine: link {' '.join(objects)}", "default engine", ""]
    (place / "build.ninja").write_text("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:4], sys.argv[4:])

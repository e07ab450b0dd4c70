#!/usr/bin/env python3
"""Writes the sources of the page as a C++ file: embed.py OUT.cpp FILE...

Each FILE is a string constant of the program, found by its name. Meson calls it.
"""

import pathlib
import sys

HEAD = """#include "scenarios/report/page_data.hpp"

#include <array>
#include <utility>

namespace watchlab::scenarios {

std::string_view page_source(std::string_view name) {
  static constexpr std::array kSources{
"""
TAIL = """  };
  for (const auto& [source, text] : kSources) {
    if (source == name) {
      return text;
    }
  }
  return "";
}

}  // namespace watchlab::scenarios
"""


def constant(path):
    text = path.read_text(encoding="utf-8")
    if ')page"' in text:
        sys.exit(f"{path} holds the mark that ends a constant")
    return (f'      std::pair<std::string_view, std::string_view>{{"{path.name}", '
            f'R"page({text})page"}},\n')


def main():
    out, *files = sys.argv[1:]
    body = "".join(constant(pathlib.Path(file)) for file in files)
    pathlib.Path(out).write_text(HEAD + body + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main()

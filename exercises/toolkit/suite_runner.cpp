// The program that runs students' suites, and what serves their libraries: everything that judges
// is in it and in what it is linked with, and the student's code comes last.
#include <cstdio>

#include "exercises/toolkit/loaded_suite.hpp"

int main(int argc, char** argv) {
  if (argc == 2) {
    return watchlab::course::serve_loaded_host(argv[1]);
  }
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SUBJECT SUITE | HOST, shared libraries by their paths\n",
                 argv[0]);
    return 2;
  }
  return watchlab::course::run_loaded_suite(
      {.program = argv[0], .subject = argv[1], .suite = argv[2]});
}

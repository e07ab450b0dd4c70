#include "exercises/programs/stage.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "exercises/programs/builder.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Shows a library that is not the student's under a path that says nothing. A second name of the
/// same file is as good as a copy, which takes longer than a run of the tests.
void show(const fs::path& library, const fs::path& to) {
  std::error_code elsewhere;
  fs::create_hard_link(library, to, elsewhere);
  if (elsewhere) {
    fs::copy_file(library, to);
  }
}

}  // namespace

Stage::Stage(const Toolchain& toolchain, const Sandbox& sandbox)
    : sandbox_(sandbox), folder_(new_work_folder()) {
  for (const fs::path& part : {work(), subject(), base(), judge(), server()}) {
    fs::create_directory(part);
    ::chmod(part.c_str(), 0755);
  }
  for (const fs::path& library : toolchain.libraries) {
    show(library, base() / library.filename());
  }
  show(toolchain.wall(), base() / kWallLibrary);
  sandbox.admit(work());
}

Stage::~Stage() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Stage::hide_subject() {
  fs::remove_all(subject());
  fs::create_directory(subject());
  ::chmod(subject().c_str(), 0755);
}

void Stage::adopt_subject() {
  hide_subject();
  // A copy, because the file in `work` belongs to what is contained.
  fs::copy_file(work() / kSubjectLibrary, subject() / kSubjectLibrary);
}

void Stage::set_subject(const fs::path& built) {
  hide_subject();
  // Copies: a second name would change a time of the file that it is taken from, and whoever can
  // ask for that knows which library is met.
  for (const fs::path& library : libraries_in(built)) {
    fs::copy_file(library, subject() / library.filename());
  }
  // All libraries lie in one place, whichever of them a variant has of its own.
  for (const auto& entry : fs::directory_iterator(base())) {
    if (!fs::exists(subject() / entry.path().filename())) {
      show(entry.path(), subject() / entry.path().filename());
    }
  }
}

void Stage::set_judge(const fs::path& program) const {
  fs::remove(judge() / program.filename());
  show(program, judge() / program.filename());
}

void Stage::set_server(const std::vector<fs::path>& files) const {
  for (const fs::path& file : files) {
    show(file, server() / file.filename());
  }
}

std::string Stage::library_path() const { return subject().string() + ":" + base().string(); }

void Stage::bring(const std::vector<fs::path>& files) const {
  for (const fs::path& file : files) {
    fs::copy_file(file, work() / file.filename(), fs::copy_options::overwrite_existing);
  }
  sandbox_.admit(work());
}

}  // namespace watchlab::course

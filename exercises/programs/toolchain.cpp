#include "exercises/programs/toolchain.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "exercises/programs/texts.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
using scenarios::list_of;
using scenarios::text;

std::vector<fs::path> paths_from(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

std::vector<std::string> words_from(const std::vector<fs::path>& paths) {
  return {paths.begin(), paths.end()};
}

scenarios::Codec<Toolchain> grammar_of_toolchain() {
  const auto words = list_of("a list of words", text("a word"));
  scenarios::Table<Toolchain> table("a toolchain", "How C++ is compiled here.");
  table.required("compiler", &Toolchain::compiler, words, "The compiler.")
      .required("flags", &Toolchain::flags, words, "For everything.")
      .required("root", &Toolchain::root, text("a folder"), "What includes start at.")
      .required("libraries", &Toolchain::libraries, converted(words, paths_from, words_from),
                "All but the library under test.")
      .optional("tree", &Toolchain::tree, text("a folder"), "Where variants are built.")
      .optional("sanitized", &Toolchain::sanitized, scenarios::boolean(),
                "Whether programs need an address space without limit.");
  return table.codec();
}

}  // namespace

Toolchain read_toolchain(const fs::path& file) {
  Toolchain toolchain = read_by(grammar_of_toolchain(), file);
  const fs::path folder = fs::absolute(file).parent_path();
  const auto absolute = [&folder](const fs::path& path) {
    return path.empty() ? path : (folder / path).lexically_normal();
  };
  toolchain.root = absolute(toolchain.root);
  toolchain.tree = absolute(toolchain.tree);
  for (fs::path& library : toolchain.libraries) {
    library = absolute(library);
  }
  return toolchain;
}

Toolchain own_toolchain() {
  return read_toolchain(fs::read_symlink("/proc/self/exe").parent_path() / "toolchain.yaml");
}

namespace {

constexpr std::string_view kOwnName = "watchlab-course";

/// Whether the own name at that place is a call: a word of its own, and a word follows.
bool is_call(std::string_view text, std::size_t at) {
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && std::islower(static_cast<unsigned char>(text[i])) != 0;
  };
  const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '`' || text[at - 1] == '\n';
  const std::size_t end = at + kOwnName.size();
  return begins && text.substr(end, 1) == " " && is_letter(end + 1);
}

}  // namespace

std::string own_call() {
  const char* const call = std::getenv("WATCHLAB_CALLED_AS");
  return call == nullptr || *call == '\0' ? std::string(kOwnName) : call;
}

namespace {

std::string& carried_homework() {
  static std::string option;
  return option;
}

/// The command that the text begins with, if it is about a student's files.
std::string_view homework_command(std::string_view text) {
  const std::string_view word =
      text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  constexpr std::array<std::string_view, 6> kAll{"list",  "start", "check",
                                                 "watch", "hint",  "predict"};
  return std::ranges::find(kAll, word) != kAll.end() ? word : "";
}

std::string typeable_with(const std::string& call, std::string_view option, std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = text.find(kOwnName);
    out += text.substr(0, at);
    if (at == std::string_view::npos) {
      break;
    }
    const bool is_typed = is_call(text, at);
    out += is_typed ? call : std::string(kOwnName);
    text.remove_prefix(at + kOwnName.size());
    const std::string_view command = is_typed ? homework_command(text.substr(1)) : "";
    if (!command.empty()) {
      out += fmt::format(" {}{}", command, option);
      text.remove_prefix(command.size() + 1);
    }
  }
  return out;
}

}  // namespace

void carry_homework(std::string option) { carried_homework() = std::move(option); }

std::string typeable(std::string_view text) {
  return typeable_with(own_call(), carried_homework(), text);
}

std::string typeable_as(const std::string& call, std::string_view text) {
  return typeable_with(call, "", text);
}

void require_own_tree(const Toolchain& toolchain, const std::string& exercise) {
  if (::access((toolchain.tree / "exercises").c_str(), W_OK) != 0) {
    throw BadInput(fmt::format(
        "{0}: what {1} is graded with is not built, or not as the sources are now, and nothing can "
        "be built there; expected that the owner of the checkout has run ./watchlab course dev "
        "check {1}",
        toolchain.tree.string(), exercise));
  }
}

BuildLock::BuildLock(const Toolchain& toolchain, const std::string& slug)
    : lock_(::open((toolchain.tree / fmt::format("exercises/variants.{}.lock", slug)).c_str(),
                   O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
  while (lock_ >= 0 && ::flock(lock_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

BuildLock::~BuildLock() {
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

}  // namespace watchlab::course

#pragma once

#include <filesystem>
#include <vector>

namespace watchlab::course {

/// Lets another user come to `paths` although a folder above them is closed to others, as /root and
/// many a home are: in a file system view of its own the calling process sees that folder with
/// nothing in it but the way to these paths, at their usual places. Does nothing where no folder is
/// in the way. To be called as root in a child process that is about to become another user. Throws
/// std::runtime_error with a sentence when the system does not let it.
void make_reachable(const std::vector<std::filesystem::path>& paths);

}  // namespace watchlab::course

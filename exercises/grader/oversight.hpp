#pragma once

namespace watchlab::course {

/// Splits this process in two: from here on the work is done by a child, and this one waits for it
/// and then ends as it did. All temporary folders of the work lie in one, which goes at the end.
/// When a signal asks for the end (INT, TERM, HUP), or the work dies, the child and all that it has
/// started are ended as well, contained programs in sessions of their own among them, and this
/// process dies of the same signal. To be called before anything is printed or started. Throws
/// `std::runtime_error` when there can be no folder or no child.
void oversee();

}  // namespace watchlab::course

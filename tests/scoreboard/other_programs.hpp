#pragma once

/// Two more programs of SCTBench, written afresh from what is published of them.
namespace watchlab::scoreboard::other {

/// JDK 1.4's StringBuffer (Flanagan and Qadeer, PLDI 2003).
void string_buffer();
/// Dmitry Vyukov's stack, whose bug needs three threads and five preemptions.
void safe_stack();

}  // namespace watchlab::scoreboard::other

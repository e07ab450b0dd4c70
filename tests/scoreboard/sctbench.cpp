// The rows of SCTBench. Threads and bugs are those of https://github.com/mc-imperial/sctbench; the
// sizes that it has not (reorder_50, reorder_100, twostage_20, twostage_50), and the thread of its
// own that the owner has in Chess, are those of https://github.com/wcventure/PERIOD. Where the
// figures come from stands in docs/scoreboard.md.
#include <array>

#include "tests/scoreboard/chess_programs.hpp"
#include "tests/scoreboard/cs_programs.hpp"
#include "tests/scoreboard/other_programs.hpp"
#include "tests/scoreboard/program.hpp"

namespace watchlab::scoreboard {
namespace {

constexpr std::string_view kCheck = "violation";
constexpr std::string_view kDeadlock = "deadlock";
constexpr std::string_view kEither = "deadlock, violation";
constexpr std::string_view kMarked =
    "has the bug that the published source marks; the published program has this bug fixed, and "
    "fails instead where two threads resize its record of states";

using Body = void (*)();

constexpr Program row(std::string_view name, int threads, std::string_view kind, Body body,
                      Published published, std::string_view remark = "") {
  return {name, threads, kind, body, remark, published};
}

// The figures are those of surw, pct3, pct10, pos, random, period and maple.
constexpr std::array kPrograms = std::to_array<Program>({
    row("CS/account", 4, kCheck, cs::account,
        {{20, 4}, {20, 4}, {20, 4}, {20, 3}, {20, 12}, {20, 10}, {1, 20}}),
    row("CS/arithmetic_prog", 3, kCheck, cs::arithmetic_prog, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/bluetooth_driver", 2, kCheck, cs::bluetooth_driver,
        {{20, 53}, {20, 104.5}, {20, 53}, {20, 22}, {20, 161.5}, {20, 9}, {0, 0}}),
    row("CS/carter01", 5, kDeadlock, cs::carter01,
        {{}, {20, 5}, {20, 3}, {20, 1}, {20, 1}, {20, 5}, {1, 6}}),
    row("CS/circular_buffer", 3, kCheck, cs::circular_buffer,
        {{20, 3}, {20, 8.5}, {20, 3}, {20, 1.5}, {20, 3}, {20, 3}, {0, 0}}),
    row("CS/deadlock01", 3, kDeadlock, cs::deadlock01,
        {{20, 2}, {20, 8.5}, {20, 6}, {20, 2.5}, {20, 2}, {20, 3}, {0, 0}}),
    row("CS/din_phil2", 3, kEither, [] { cs::dine(2); }, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/din_phil3", 4, kEither, [] { cs::dine(3); }, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/din_phil4", 5, kEither, [] { cs::dine(4); }, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/din_phil5", 6, kEither, [] { cs::dine(5); }, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/din_phil6", 7, kEither, [] { cs::dine(6); }, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/din_phil7", 8, kEither, [] { cs::dine(7); }, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/fsbench", 28, kCheck, cs::fsbench, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/lazy01", 4, kCheck, cs::lazy01,
        {{20, 2}, {20, 5}, {20, 4}, {20, 4}, {20, 15}, {20, 8}, {1, 1}}),
    row("CS/phase01", 3, kDeadlock, cs::phase01, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/queue", 3, kCheck, cs::queue,
        {{20, 2}, {20, 3}, {20, 2}, {20, 1}, {20, 1}, {20, 3.5}, {1, 2}}),
    row("CS/reorder_3", 4, kCheck, [] { cs::reorder(2, 1); },
        {{20, 4.5}, {20, 130.5}, {20, 71.5}, {20, 82.5}, {0, 0}, {20, 6}, {0, 0}}),
    row("CS/reorder_4", 5, kCheck, [] { cs::reorder(3, 1); },
        {{20, 4}, {20, 374.5}, {20, 371}, {20, 251.5}, {0, 0}, {20, 9}, {0, 0}}),
    row("CS/reorder_5", 6, kCheck, [] { cs::reorder(4, 1); },
        {{20, 6.5}, {20, 605.5}, {20, 544.5}, {20, 1582.5}, {0, 0}, {20, 12}, {0, 0}}),
    row("CS/reorder_10", 11, kCheck, [] { cs::reorder(9, 1); },
        {{20, 18.5}, {16, 3787}, {12, 8210}, {0, 0}, {0, 0}, {20, 27}, {0, 0}}),
    row("CS/reorder_20", 21, kCheck, [] { cs::reorder(10, 10); },
        {{20, 4}, {20, 1990}, {17, 4919}, {0, 0}, {0, 0}, {20, 39}, {0, 0}}),
    row("CS/reorder_50", 51, kCheck, [] { cs::reorder(40, 10); },
        {{20, 11.5}, {6, 0}, {1, 0}, {0, 0}, {0, 0}, {20, 129}, {}}),
    row("CS/reorder_100", 101, kCheck, [] { cs::reorder(99, 1); },
        {{20, 111.5}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {20, 297}, {}}),
    row("CS/stack", 3, kCheck, cs::stack,
        {{20, 4}, {20, 2}, {20, 2}, {20, 1}, {20, 155.5}, {20, 8}, {0, 0}}),
    row("CS/sync01", 3, kDeadlock, cs::sync01, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/sync02", 3, kDeadlock, cs::sync02, {{}, {}, {}, {}, {}, {}, {1, 1}}),
    row("CS/token_ring", 5, kCheck, cs::token_ring,
        {{20, 7}, {20, 6.5}, {20, 5}, {20, 6}, {20, 7.5}, {20, 2}, {1, 5}}),
    row("CS/twostage", 3, kCheck, [] { cs::twostage(1, 1); },
        {{20, 6}, {20, 8}, {20, 5}, {20, 11.5}, {20, 166.5}, {20, 4}, {1, 8}}),
    row("CS/twostage_20", 21, kCheck, [] { cs::twostage(10, 10); },
        {{20, 5}, {20, 83}, {20, 91}, {20, 116}, {0, 0}, {20, 76}, {}}),
    row("CS/twostage_50", 51, kCheck, [] { cs::twostage(40, 10); },
        {{20, 16.5}, {20, 1169}, {20, 678.5}, {20, 1383.5}, {0, 0}, {20, 286}, {}}),
    row("CS/twostage_100", 101, kCheck, [] { cs::twostage(99, 1); },
        {{20, 272.5}, {3, 0}, {9, 0}, {3, 0}, {0, 0}, {20, 690}, {0, 0}}),
    row("CS/wronglock", 9, kCheck, [] { cs::wronglock(7); },
        {{20, 4}, {20, 42}, {20, 13.5}, {20, 5}, {20, 16}, {20, 4}, {1, 6}}),
    row("CS/wronglock_3", 5, kCheck, [] { cs::wronglock(3); },
        {{20, 7}, {20, 47}, {20, 12}, {20, 5}, {20, 16}, {20, 6}, {1, 6}}),
    row("Chess/WorkStealQueue", 3, kCheck, chess::mutex_queue,
        {{20, 5}, {20, 31}, {20, 13.5}, {20, 12.5}, {}, {20, 57}, {0, 0}}),
    row("Chess/InterlockedWorkStealQueue", 3, kCheck, chess::interlocked_queue,
        {{20, 5}, {20, 47}, {20, 8}, {20, 12}, {0, 0}, {20, 57}, {0, 0}}),
    row("Chess/InterlockedWorkStealQueueWithState", 4, kCheck, chess::interlocked_queue_with_state,
        {}, kMarked),
    row("Chess/StateWorkStealQueue", 4, kCheck, chess::state_queue, {}, kMarked),
    row("CB/stringbuffer-jdk1.4", 2, kCheck, other::string_buffer,
        {{20, 5}, {20, 162.5}, {20, 24.5}, {20, 16}, {19, 1433}, {20, 12}, {1, 9}}),
    row("SafeStack", 4, kCheck, other::safe_stack,
        {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}),
});

}  // namespace

std::span<const Program> sctbench() { return kPrograms; }

}  // namespace watchlab::scoreboard

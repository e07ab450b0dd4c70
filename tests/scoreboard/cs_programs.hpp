#pragma once

/// The programs CS of SCTBench (https://github.com/mc-imperial/sctbench), each written afresh from
/// what is published of it: its threads, its bug and its sizes. Data that a program shares without
/// a lock is atomic here, each access by itself, so that each access is a point, as it is for those
/// who instrument the originals.
namespace watchlab::scoreboard::cs {

void account();
void arithmetic_prog();
void bluetooth_driver();
void carter01();
void circular_buffer();
void deadlock01();
void fsbench();
void lazy01();
void phase01();
void queue();
void stack();
void sync01();
void sync02();
void token_ring();

/// So many philosophers.
void dine(int philosophers);
/// So many threads set two variables one after the other, and so many expect both or none.
void reorder(int setters, int checkers);
/// So many threads write in two stages, and so many read both.
void twostage(int writers, int readers);
/// One thread holds the right lock, and so many hold the wrong one.
void wronglock(int wrong);

}  // namespace watchlab::scoreboard::cs

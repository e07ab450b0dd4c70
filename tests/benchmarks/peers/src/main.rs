//! Measures two Rust explorers on the programs of watchlab's own benchmarks and prints JSON lines,
//! one a number: the median of seven repetitions, after one that warms up. The names are those of
//! peer_bench.cpp, behind the name of the peer.

mod loom_programs;
mod shuttle_programs;

use std::time::Instant;

/// What is reported of a program.
#[derive(Clone, Copy)]
pub enum Measure {
    Rate,
    Time,
}

/// One measured number. `once` returns how many executions it took.
pub struct Row {
    pub name: &'static str,
    pub measure: Measure,
    pub once: fn() -> usize,
}

const REPETITIONS: usize = 7;

fn measure(row: &Row) {
    let executions = (row.once)();
    let mut values: Vec<f64> = (0..REPETITIONS)
        .map(|_| {
            let start = Instant::now();
            let executions = (row.once)();
            let seconds = start.elapsed().as_secs_f64();
            match row.measure {
                Measure::Rate => executions as f64 / seconds,
                Measure::Time => seconds * 1e3,
            }
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let unit = match row.measure {
        Measure::Rate => "schedules/s",
        Measure::Time => "ms",
    };
    println!(
        "{{\"name\":\"{}\",\"unit\":\"{}\",\"executions\":{},\"median\":{:.3},\"lowest\":{:.3},\"highest\":{:.3},\"repetitions\":{}}}",
        row.name,
        unit,
        executions,
        values[REPETITIONS / 2],
        values[0],
        values[REPETITIONS - 1],
        REPETITIONS
    );
}

fn main() {
    for row in shuttle_programs::rows().iter().chain(&loom_programs::rows()) {
        measure(row);
    }
}

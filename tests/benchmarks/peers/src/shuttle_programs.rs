//! The programs of peer_bench.cpp over Shuttle's primitives.

use crate::{Measure, Row};
use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::sync::{Condvar, Mutex};
use shuttle::{thread, Config, FailurePersistence, MaxSteps, Runner};
use std::collections::VecDeque;
use std::sync::Arc;

const CAPACITY: usize = 3;
const ITEMS_EACH: usize = 9;

fn bounded_buffer() {
    struct Buffer {
        items: Mutex<VecDeque<usize>>,
        not_full: Condvar,
        not_empty: Condvar,
    }
    let buffer = Arc::new(Buffer {
        items: Mutex::new(VecDeque::new()),
        not_full: Condvar::new(),
        not_empty: Condvar::new(),
    });
    let mut tasks = Vec::new();
    for _ in 0..3 {
        let own = Arc::clone(&buffer);
        tasks.push(thread::spawn(move || {
            for item in 0..ITEMS_EACH {
                let mut items = own.items.lock().unwrap();
                while items.len() >= CAPACITY {
                    items = own.not_full.wait(items).unwrap();
                }
                items.push_back(item);
                own.not_empty.notify_one();
            }
        }));
        let own = Arc::clone(&buffer);
        tasks.push(thread::spawn(move || {
            for _ in 0..ITEMS_EACH {
                let mut items = own.items.lock().unwrap();
                while items.is_empty() {
                    items = own.not_empty.wait(items).unwrap();
                }
                items.pop_front();
                own.not_full.notify_one();
            }
        }));
    }
    for task in tasks {
        task.join().unwrap();
    }
}

fn lock() {
    let mutex = Arc::new(Mutex::new(0usize));
    let tasks: Vec<_> = (0..3)
        .map(|_| {
            let mutex = Arc::clone(&mutex);
            thread::spawn(move || {
                for _ in 0..3 {
                    *mutex.lock().unwrap() += 1;
                }
            })
        })
        .collect();
    for task in tasks {
        task.join().unwrap();
    }
}

fn counter() {
    let value = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..3)
        .map(|_| {
            let value = Arc::clone(&value);
            thread::spawn(move || {
                for _ in 0..10 {
                    value.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    for task in tasks {
        task.join().unwrap();
    }
}

fn readers() {
    let cell = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&cell);
    let mut tasks = vec![thread::spawn(move || own.store(1, Ordering::SeqCst))];
    for _ in 0..8 {
        let own = Arc::clone(&cell);
        tasks.push(thread::spawn(move || {
            own.load(Ordering::SeqCst);
        }));
    }
    for task in tasks {
        task.join().unwrap();
    }
}

fn run(scheduler: impl Scheduler + 'static, program: fn()) {
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::None;
    config.max_steps = MaxSteps::FailAfter(1_000_000);
    Runner::new(scheduler, config).run(program);
}

fn random(runs: usize, program: fn()) -> usize {
    run(RandomScheduler::new_from_seed(1, runs), program);
    runs
}

pub fn rows() -> Vec<Row> {
    let row = |name, once| Row {
        name,
        measure: Measure::Rate,
        once,
    };
    vec![
        row("shuttle.random.bounded_buffer", || random(1_000, bounded_buffer)),
        row("shuttle.pct.bounded_buffer", || {
            run(PctScheduler::new_from_seed(1, 2, 1_000), bounded_buffer);
            1_000
        }),
        row("shuttle.random.lock", || random(5_000, lock)),
        row("shuttle.random.counter", || random(5_000, counter)),
        row("shuttle.random.readers", || random(5_000, readers)),
    ]
}

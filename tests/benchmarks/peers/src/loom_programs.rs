//! The small programs over Loom's primitives, which explores them until nothing is left. Its threads
//! are few, so there is no `readers` of eight here.

use crate::{Measure, Row};
use loom::sync::atomic::AtomicUsize;
use loom::sync::{Arc, Mutex};
use loom::thread;
use std::sync::atomic::{AtomicUsize as Count, Ordering};

static EXECUTIONS: Count = Count::new(0);

/// How many executions Loom needs; every one of them begins with the body.
fn explore(program: fn()) -> usize {
    EXECUTIONS.store(0, Ordering::SeqCst);
    loom::model(move || {
        EXECUTIONS.fetch_add(1, Ordering::SeqCst);
        program();
    });
    EXECUTIONS.load(Ordering::SeqCst)
}

fn lock(tasks: usize, sections: usize) {
    let mutex = Arc::new(Mutex::new(0usize));
    let tasks: Vec<_> = (0..tasks)
        .map(|_| {
            let mutex = Arc::clone(&mutex);
            thread::spawn(move || {
                for _ in 0..sections {
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
    let tasks: Vec<_> = (0..2)
        .map(|_| {
            let value = Arc::clone(&value);
            thread::spawn(move || {
                for _ in 0..2 {
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
    for _ in 0..2 {
        let own = Arc::clone(&cell);
        tasks.push(thread::spawn(move || {
            own.load(Ordering::SeqCst);
        }));
    }
    for task in tasks {
        task.join().unwrap();
    }
}

pub fn rows() -> Vec<Row> {
    let row = |name, once| Row {
        name,
        measure: Measure::Time,
        once,
    };
    vec![
        row("loom.all.lock_2x2", || explore(|| lock(2, 2))),
        row("loom.all.lock_2x3", || explore(|| lock(2, 3))),
        row("loom.all.counter_2x2", || explore(counter)),
        row("loom.all.readers_2", || explore(readers)),
    ]
}

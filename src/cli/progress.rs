//! Progress on the terminal, and the wish to stop.

use std::cell::{Cell, OnceCell};
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::plan::Plan;
use dicedist::limits::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this is not worth a word.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whoever asked to stop waits no longer than this for the work to end by itself.
const GRACE: Duration = Duration::from_millis(700);

/// How often the memory of the process is asked for.
const REMEASURE: Duration = Duration::from_millis(1);

/// The process may hold so many bytes more than the limit of an analysis: its code and its idle threads are not of it.
const SLACK: u64 = 16 << 20;

/// How often a line of progress is redrawn.
const REDRAW: Duration = Duration::from_millis(100);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Files that are no one's until they are whole.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// From now on, Ctrl-C asks the work to stop, and stops the process soon after if the work does not. To be
/// called when all input is read: nothing interrupts a blocked read.
pub(super) fn listen_for_interrupts() {
    // Without a handler Ctrl-C still ends the process, only less tidily.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::Relaxed);
        thread::sleep(GRACE);
        let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        for path in unfinished.iter() {
            // One that is finished has another name by now.
            let _ = fs::remove_file(path);
        }
        process::exit(130);
    });
}

/// Has a file removed when the process is stopped in the middle of its work.
pub(super) fn remove_if_stopped(unfinished: PathBuf) {
    let mut all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(unfinished);
}

/// Whether the user asked to stop.
pub(super) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The line that says how far the analysis of one rule is.
#[derive(Debug)]
pub(super) struct Progress {
    label: String,
    started: Instant,
    drawn: Cell<Option<Instant>>,
    is_shown: bool,
    line: OnceCell<ProgressBar>,
    plan: Option<Plan>,
    memory: Cell<Memory>,
}

/// The memory of the process, in bytes.
#[derive(Clone, Copy, Debug)]
struct Memory {
    at_first: u64,
    now: u64,
    measured: Instant,
}

impl Memory {
    fn measured() -> Self {
        let now = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64);
        Self {
            at_first: now,
            now,
            measured: Instant::now(),
        }
    }
}

impl Progress {
    /// Progress of the work with this name, shown after a while, and only where somebody watches; with what the
    /// work was made of, if that is explained.
    pub(super) fn start(label: String, quiet: bool, explain: bool) -> Self {
        Self {
            label,
            started: Instant::now(),
            drawn: Cell::new(None),
            is_shown: !quiet && io::stderr().is_terminal(),
            line: OnceCell::new(),
            plan: explain.then(Plan::default),
            memory: Cell::new(Memory::measured()),
        }
    }

    /// The rules that were applied, as a tree.
    pub(super) fn plan(&self) -> String {
        self.plan.as_ref().map_or_else(String::new, Plan::tree)
    }

    /// Whether the line is to be drawn now: somebody watches, and has waited for it.
    fn is_due(&self) -> bool {
        let now = Instant::now();
        let since = self.drawn.get().unwrap_or(self.started);
        let wait = if self.drawn.get().is_some() {
            REDRAW
        } else {
            PATIENCE
        };
        let is_due = self.is_shown && now.duration_since(since) >= wait;
        if is_due {
            self.drawn.set(Some(now));
        }
        is_due
    }

    fn new_line(&self) -> ProgressBar {
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {msg} ({elapsed})") {
            line.set_style(style);
        }
        line.set_prefix(self.label.clone());
        line.with_elapsed(self.started.elapsed())
    }
}

impl Observer for Progress {
    fn is_interrupted(&self) -> bool {
        is_interrupted()
    }

    fn begins(&self) {
        self.memory.set(Memory::measured());
    }

    fn memory(&self) -> u64 {
        let mut memory = self.memory.get();
        if memory.measured.elapsed() >= REMEASURE {
            memory = Memory {
                at_first: memory.at_first,
                ..Memory::measured()
            };
            self.memory.set(memory);
        }
        memory.now.saturating_sub(memory.at_first + SLACK)
    }

    fn states(&self, states: u64) {
        if self.is_due() {
            let line = self.line.get_or_init(|| self.new_line());
            line.set_message(format!("{states} states"));
            line.tick();
        }
    }

    fn samples(&self, taken: u64, of: u64) {
        if self.is_due() {
            let line = self.line.get_or_init(|| self.new_line());
            if line.length().is_none() {
                line.set_length(of);
                if let Ok(style) = ProgressStyle::with_template(
                    "{prefix}: {bar:20} {human_pos} of {human_len} rolls ({elapsed})",
                ) {
                    line.set_style(style);
                }
            }
            line.set_position(taken);
        }
    }

    fn part_begins(&self, rule: &'static str) {
        if let Some(plan) = &self.plan {
            plan.begin(rule);
        }
    }

    fn part_ends(&self, states: u64, steps: u64) {
        if let Some(plan) = &self.plan {
            plan.end(states, steps);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(line) = self.line.get() {
            line.finish_and_clear();
        }
    }
}

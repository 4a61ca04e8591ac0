//! The observer of an analysis: draws a line of progress, measures the memory of the process, and passes on Ctrl-C.

use std::cell::{Cell, OnceCell};
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use super::plan::Plan;
use super::watch;
use dicedist::limits::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two measurements of the memory of the process.
const REMEASURE: Duration = Duration::from_millis(1);

/// How often a line of progress is redrawn.
const REDRAW: Duration = Duration::from_millis(100);

/// The line that says how far the analysis of one rule is.
#[derive(Debug)]
pub(super) struct Progress {
    label: String,
    started: Instant,
    drawn: Cell<Option<Instant>>,
    is_shown: bool,
    line: OnceCell<ProgressBar>,
    plan: Option<Plan>,
    memory: Cell<Option<Memory>>,
}

/// The memory of the process, in bytes.
#[derive(Clone, Copy, Debug)]
struct Memory {
    at_first: u64,
    now: u64,
    measured: Instant,
}

impl Memory {
    /// As it is now.
    fn new() -> Self {
        let now = watch::resident_memory();
        Self {
            at_first: now,
            now,
            measured: Instant::now(),
        }
    }
}

impl Progress {
    /// Starts the clock for the work with this name. The line is shown after [`PATIENCE`], if standard error is a
    /// terminal; with `explain`, the parts of the work are recorded as well.
    pub(super) fn start(label: String, quiet: bool, explain: bool) -> Self {
        Self {
            label,
            started: Instant::now(),
            drawn: Cell::new(None),
            is_shown: !quiet && io::stderr().is_terminal(),
            line: OnceCell::new(),
            plan: explain.then(Plan::default),
            memory: Cell::new(None),
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
        watch::is_interrupted()
    }

    fn begins(&self) {
        self.memory.set(Some(Memory::new()));
    }

    fn memory(&self) -> u64 {
        let mut memory = self.memory.get().unwrap_or_else(Memory::new);
        if memory.measured.elapsed() >= REMEASURE {
            memory = Memory {
                at_first: memory.at_first,
                ..Memory::new()
            };
        }
        self.memory.set(Some(memory));
        let needed_anyway = memory.at_first.saturating_add(watch::STARTING_MEMORY);
        memory.now.saturating_sub(needed_anyway)
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

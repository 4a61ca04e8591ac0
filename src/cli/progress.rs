//! The observer of an analysis: draws a line of progress, measures what the process has used, and passes on Ctrl-C.

use std::cell::{Cell, OnceCell};
use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::plan::Plan;
use super::{meter, watch};
use dicedist::limits::Observer;
use dicedist::source::shown;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two measurements of what the process has used: each takes some hundred nanoseconds.
const REMEASURE: Duration = Duration::from_millis(1);

/// How often a line of progress is redrawn.
const REDRAW: Duration = Duration::from_millis(100);

/// Whether there is a line. Of several rules at the same time, one has it.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// The line that says how far the analysis of one rule is.
#[derive(Debug)]
pub(super) struct Progress {
    label: String,
    started: Instant,
    drawn: Cell<Option<Instant>>,
    is_shown: bool,
    line: OnceCell<ProgressBar>,
    plan: Option<Plan>,
    /// The bytes beyond the allocations that the process held at the first measurement: its code, and gaps between allocations.
    idle: OnceCell<u64>,
    used: Cell<Used>,
}

/// The time of work and the memory of the process, with the moment of the measurement.
#[derive(Clone, Copy, Debug)]
struct Used {
    worked: Duration,
    memory: u64,
    measured: Instant,
}

impl Used {
    /// At the start. The system is not asked: most work ends before it could say anything new.
    fn at_first() -> Self {
        Self {
            worked: meter::worked(),
            memory: allocated_and_more(),
            measured: Instant::now(),
        }
    }

    /// Measures now. Memory is the larger of two estimates: what is allocated and a quarter more, for writing the answers; or what
    /// is resident less `idle`, for gaps between small pieces. The second is at most four times what is allocated, since memory that
    /// has been freed may stay resident.
    fn now(idle: u64) -> Self {
        let resident = meter::resident().saturating_sub(idle);
        Self {
            worked: meter::worked(),
            memory: allocated_and_more().max(resident.min(meter::allocated().saturating_mul(4))),
            measured: Instant::now(),
        }
    }
}

/// The bytes that are allocated for the work, and a quarter more.
fn allocated_and_more() -> u64 {
    meter::allocated().saturating_sub(meter::NEEDED_ANYWAY) / 4 * 5
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
            idle: OnceCell::new(),
            used: Cell::new(Used::at_first()),
        }
    }

    /// The rules that were applied, as a tree.
    pub(super) fn plan(&self) -> String {
        self.plan.as_ref().map_or_else(String::new, Plan::tree)
    }

    /// The last measurement, or a new one after [`REMEASURE`].
    fn used(&self) -> Used {
        let mut used = self.used.get();
        if used.measured.elapsed() >= REMEASURE {
            let idle = || meter::resident().saturating_sub(meter::allocated());
            used = Used::now(*self.idle.get_or_init(idle));
            self.used.set(used);
        }
        used
    }

    /// Whether to draw the line now: standard error is a terminal, and the user has waited long enough.
    fn is_due(&self) -> bool {
        let now = Instant::now();
        let since = self.drawn.get().unwrap_or(self.started);
        let wait = if self.drawn.get().is_some() {
            REDRAW
        } else {
            PATIENCE
        };
        let is_due = self.is_shown
            && now.duration_since(since) >= wait
            && (self.line.get().is_some() || !IS_TAKEN.swap(true, Ordering::Relaxed));
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
        line.set_prefix(shown(&self.label).into_owned());
        line.with_elapsed(self.started.elapsed())
    }
}

impl Observer for Progress {
    fn is_interrupted(&self) -> bool {
        watch::is_interrupted()
    }

    fn worked(&self) -> Option<Duration> {
        Some(self.used().worked)
    }

    fn memory(&self) -> u64 {
        // Much may be allocated between two measurements, and this number costs nothing. 0 would mean that memory is not measured.
        self.used().memory.max(allocated_and_more()).max(1)
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
            IS_TAKEN.store(false, Ordering::Relaxed);
        }
    }
}

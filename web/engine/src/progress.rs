//! Tells the page how far an answer is.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use dicedist::limits::Observer;
use js_sys::Function;
use serde_json::json;
use wasm_bindgen::JsValue;
use web_time::Instant;

/// The time from one message to the next.
const PAUSE: Duration = Duration::from_millis(100);

/// Calls a function of the page now and then.
pub(crate) struct Progress<'f> {
    tell: &'f Function,
    started: Instant,
    told: Cell<Duration>,
    parts: RefCell<Vec<&'static str>>,
    bytes: fn() -> u64,
}

impl<'f> Progress<'f> {
    pub(crate) fn start(tell: &'f Function, bytes: fn() -> u64) -> Self {
        Self {
            tell,
            started: Instant::now(),
            told: Cell::new(Duration::ZERO),
            parts: RefCell::default(),
            bytes,
        }
    }

    /// Whether it is time for another message; its time then.
    fn due(&self) -> Option<Duration> {
        let now = self.started.elapsed();
        (now >= self.told.get() + PAUSE).then(|| {
            self.told.set(now);
            now
        })
    }

    fn tell(&self, message: &serde_json::Value) {
        // The page may fail to show it; the answer goes on.
        let _ = self
            .tell
            .call1(&JsValue::NULL, &JsValue::from_str(&message.to_string()));
    }
}

impl Observer for Progress<'_> {
    fn memory(&self) -> u64 {
        (self.bytes)()
    }

    fn states(&self, states: u64) {
        if let Some(now) = self.due() {
            let part = self.parts.borrow().last().copied();
            let seconds = now.as_secs_f64();
            self.tell(&json!({"states": states, "part": part, "seconds": seconds, "bytes": (self.bytes)()}));
        }
    }

    fn samples(&self, taken: u64, of: u64) {
        if let Some(now) = self.due() {
            let seconds = now.as_secs_f64();
            self.tell(
                &json!({"samples": taken, "of": of, "seconds": seconds, "bytes": (self.bytes)()}),
            );
        }
    }

    fn part_begins(&self, rule: &'static str) {
        self.parts.borrow_mut().push(rule);
    }

    fn part_ends(&self, _states: u64, _steps: u64) {
        self.parts.borrow_mut().pop();
    }
}

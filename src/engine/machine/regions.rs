//! What the states at a point hold, and the outcomes of its region, each found once.

use std::rc::Rc;

use super::code::{ExprId, FlowId};
use super::keys::{KnownSlots, Outcomes, PointKeys, Region, RegionTables, keys};
use super::run::{Exploration, Halt, Machine, Run, Scope};
use super::words::Word;
use crate::map::{Map, ValueMap};

/// A region has at most so many outcomes, or twice as many as its first roll.
const MOST_OUTCOMES: usize = 64;

impl Machine<'_> {
    /// What the states at a point hold.
    pub(super) fn point_keys(&mut self, point: FlowId, scope: Scope) -> Rc<PointKeys> {
        let code = &mut self.code;
        match scope {
            Scope::Whole(_) => {
                let made = || Rc::new(PointKeys::of(code, point, &KnownSlots::ALL));
                Rc::clone(self.points.entry(point).or_insert_with(made))
            }
            Scope::Region(of, _) => {
                let Some(Some(tables)) = self.regions.get_mut(&of) else {
                    return Rc::new(PointKeys::of(code, point, &KnownSlots::ALL));
                };
                let known = tables.region.known();
                let made = || Rc::new(PointKeys::of(code, point, &known));
                Rc::clone(tables.points.entry(point).or_insert_with(made))
            }
        }
    }

    /// What tells the ends of a region apart.
    pub(super) fn outputs(&mut self, point: FlowId, end: FlowId) -> Rc<[ExprId]> {
        let code = &mut self.code;
        let set = Rc::clone(code.live(end));
        let Some(Some(tables)) = self.regions.get_mut(&point) else {
            return keys(code, end, &KnownSlots::ALL, &set, true).into();
        };
        let known = tables.region.known();
        let made = || keys(code, end, &known, &set, true).into();
        Rc::clone(tables.outputs.entry(end).or_insert_with(made))
    }

    /// The outcomes of the region of a point, if the state is more than it looks at.
    pub(super) fn region(
        &mut self,
        point: FlowId,
        frame: &mut [Word],
    ) -> Run<Option<Rc<Outcomes>>> {
        if !self.regions.contains_key(&point) {
            let region = Region::of(&mut self.code, point).map(|region| RegionTables {
                region,
                points: Map::default(),
                outputs: Map::default(),
                tables: ValueMap::default(),
                is_large: false,
            });
            self.regions.insert(point, region);
        }
        let Some(Some(tables)) = self.regions.get(&point) else {
            return Ok(None);
        };
        if tables.is_large {
            return Ok(None);
        }
        let inner = Rc::clone(&tables.region.inner);
        let mut words = Vec::with_capacity(inner.len());
        self.words(&inner, frame, &mut words)?;
        if let Some(Some(tables)) = self.regions.get(&point)
            && let Some(known) = tables.tables.get(&words[..])
        {
            return Ok(Some(Rc::clone(known)));
        }
        let found = crate::stack::level(|| self.solved_region(point, frame))?;
        let Some(Some(tables)) = self.regions.get_mut(&point) else {
            return Ok(None);
        };
        match &found {
            Some(found) => drop(tables.tables.insert(words.into(), Rc::clone(found))),
            None => tables.is_large = true,
        }
        Ok(found)
    }

    /// The outcomes of the region of a point, unless they are many.
    fn solved_region(&mut self, point: FlowId, frame: &[Word]) -> Run<Option<Rc<Outcomes>>> {
        let mut frame = frame.to_vec();
        let first = self.rolled_apart(point, &mut frame)?.words.len();
        let scope = Scope::Region(point, MOST_OUTCOMES.max(2 * first));
        let mut exploration = Exploration::new(scope, frame, point, self.budget);
        let place = self.go_on(&mut exploration, point)?;
        match self.explored(&mut exploration, place) {
            Ok((ends, spread)) => Ok(Some(Rc::new(Outcomes {
                ends: ends.outcomes,
                spread: Rc::new(spread),
            }))),
            Err(Halt::Refused) => Ok(None),
            Err(halt) => Err(halt),
        }
    }
}

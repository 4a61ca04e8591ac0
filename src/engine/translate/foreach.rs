//! `foreach`: unrolled over known members, split over joins, and a map over hidden members.
//!
//! A body that looks at a hidden value but rolls nothing is written out by value: for every possible member `v`, the
//! body for `v`, as often as `v` occurs. So `foreach y in x do count ==y x` is a sum over faces.

use crate::engine::program::{
    Body, BodyMode, Bounds, Closure, Compare, LoopQuestion, Node, NodeId, Order, Reduction,
};
use crate::engine::reason::Reason;
use crate::engine::simplify::{Forms as _, MOST_VALUES, reduce, reduce_again, values};
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::event::order_matters;
use crate::engine::translate::repeat::Repeated;
use crate::engine::translate::translator::{BodyKey, BodyQuery, Translator};
use crate::ir::{Folding, Term, TermId};

/// The most bodies whose values are kept. If so many differ, the next one is probably new, too.
const MOST_BODIES: usize = 1 << 12;

impl Translator<'_, '_> {
    pub(super) fn translate_foreach(
        &mut self,
        e: TermId,
        f: TermId,
        reductions: &[Reduction],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        match self.store.arena.term(e) {
            // foreach x in n#e do f  =  n # (foreach x in e do f)
            Term::Repeat(n, inner, site) => {
                let n = self.translate_count(*n, *site, environment)?;
                self.repeat(
                    n,
                    Repeated::Foreach(*inner, f),
                    reductions,
                    order,
                    environment,
                )
            }
            Term::Join(parts) => {
                let (images, hazards) = self.collecting_hazards(|translator| {
                    let parts = parts.iter();
                    parts
                        .map(|&part| {
                            translator.translate_foreach(part, f, reductions, order, environment)
                        })
                        .collect::<Attempt<Vec<_>>>()
                })?;
                // Every hazard of the list comes before every hazard of the body.
                if order_matters(&hazards) {
                    let list = self.translate(e, order, environment)?;
                    return self.foreach(list, f, reductions, order, environment);
                }
                self.add_hazards(&hazards)?;
                self.store.sequence(order, images)
            }
            _ => {
                let list = self.translate(e, order, environment)?;
                self.foreach(list, f, reductions, order, environment)
            }
        }
    }

    /// The body for each member of a list.
    pub(super) fn foreach(
        &mut self,
        list: NodeId,
        f: TermId,
        reductions: &[Reduction],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        if self.store.is_number(list) {
            let value = self.translate_with(f, list, order, environment)?;
            return reduce(self.store, reductions, value);
        }
        match self.store.nodes.get(list).clone() {
            Node::Known(mut members) => {
                // Members that the body does not look at are equal.
                if let Some(&(first, _)) = members.first()
                    && self.store.free(f).first() != Some(&0)
                {
                    let count = members.iter().map(|(_, count)| count).sum();
                    members = [(first, count)].into();
                }
                if order == Order::Kept && members.len() > 1 {
                    return Err(Stop::Unsupported(Reason::UnknownOrder));
                }
                self.loops += 1;
                let parts = self.over_known(&members, f, reductions, order, environment);
                self.loops -= 1;
                self.store.sequence(order, parts?)
            }
            Node::Join(parts) | Node::Chain(parts) => {
                self.store.has_room_for::<NodeId>(parts.len())?;
                let mut images = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    self.store.step()?;
                    images.push(self.foreach(part, f, reductions, order, environment)?);
                }
                self.store.sequence(order, images)
            }
            Node::Copies(count, member) if self.store.is_number(member) => {
                environment.push(member);
                let images = self.repeat(count, Repeated::Term(f), reductions, order, environment);
                environment.pop();
                images
            }
            Node::If(condition, a, b) => {
                let not = self.store.complement(condition)?;
                let a = self.on_path(condition, |translator| {
                    translator.foreach(a, f, reductions, order, environment)
                })?;
                let b = self.on_path(not, |translator| {
                    translator.foreach(b, f, reductions, order, environment)
                })?;
                self.store.choose(condition, a, b)
            }
            _ if order == Order::Kept => Err(Stop::Unsupported(Reason::UnknownOrder)),
            _ => self.over_hidden(list, f, reductions, environment),
        }
    }

    /// The body for each member of a known multiset.
    fn over_known(
        &mut self,
        members: &[(i64, u32)],
        body: TermId,
        reductions: &[Reduction],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<Vec<NodeId>> {
        self.store.has_room_for::<NodeId>(members.len())?;
        let mut parts = Vec::with_capacity(members.len());
        for &(value, count) in members {
            self.store.step()?;
            let (member, count) = (
                self.store.constant(value),
                self.store.constant(count.into()),
            );
            environment.push(member);
            let part = self.repeat(count, Repeated::Term(body), reductions, order, environment);
            environment.pop();
            parts.push(part?);
        }
        Ok(parts)
    }

    pub(in crate::engine) fn translate_body(
        &mut self,
        body: Repeated,
        reductions: &[Reduction],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        match body {
            Repeated::Term(e) => self.translate_and_reduce(e, reductions, order, environment),
            Repeated::Foreach(e, f) => {
                let value = self.translate_foreach(e, f, reductions, order, environment)?;
                reduce_again(self.store, reductions, value)
            }
        }
    }

    /// The value of a term, reduced.
    pub(in crate::engine) fn translate_and_reduce(
        &mut self,
        term: TermId,
        reductions: &[Reduction],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let key = match self.known_body(term, reductions, order, environment) {
            Ok(known) => return Ok(known),
            Err(key) => key,
        };
        let hazards = self.hazards.found.len();
        let value = self.translate(term, order, environment)?;
        let value = reduce(self.store, reductions, value)?;
        if let Some(key) = key
            && self.hazards.found.len() == hazards
        {
            self.bodies.insert(key, value);
        }
        Ok(value)
    }

    /// The value of a body that is known from another turn of a loop. Otherwise the key of the body, if its value may be
    /// remembered.
    fn known_body(
        &mut self,
        term: TermId,
        reductions: &[Reduction],
        order: Order,
        environment: &[NodeId],
    ) -> Result<NodeId, Option<BodyKey>> {
        if !self.can_be_known(term) {
            return Err(None);
        }
        let depth = environment.len();
        let indices = self.store.free(term);
        let places = indices.iter().map(|&index| depth - 1 - index as usize);
        self.free.clear();
        self.free.extend(places.map(|place| environment[place]));
        let query = BodyQuery {
            term,
            free: &self.free,
            reductions,
            order,
        };
        let known = self.bodies.get(&query).copied();
        known.ok_or_else(|| Some(query.to_key()))
    }

    /// Whether the value of a body may be known from another turn of a loop within a loop: it rolls nothing, and is under no
    /// condition, which may hide a hazard.
    fn can_be_known(&mut self, term: TermId) -> bool {
        self.loops >= 2
            && self.bodies.len() < MOST_BODIES
            && self.hazards.path.is_empty()
            && !self.store.is_random(term)
    }

    /// The body of a `foreach` for the members of a hidden multiset.
    pub(in crate::engine) fn over_hidden(
        &mut self,
        list: NodeId,
        body: TermId,
        reductions: &[Reduction],
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let random = self.store.is_random(body);
        if !random
            && self.store.uses_hidden(body, 1, environment)
            && let Some(values) = values(self.store, list, MOST_VALUES)?
        {
            return self.by_value(list, &values, body, reductions, environment);
        }
        let mut closed = self.close_over(body, reductions, environment)?;
        closed.name = random.then(|| self.store.pools.name());
        let closure = self.store.nodes.closure(Closure::Body(closed.clone()));
        let bounds = self.store.bounds(list)?;
        let mut image = self.store.image(closure, bounds)?;
        if random && !image.failures.is_empty() {
            let positive = self.positive(list, bounds)?;
            image = self.store.image(closure, positive)?;
        }
        for &failure in &image.failures {
            if random {
                return Err(Stop::Unsupported(Reason::HiddenBodyRollsAndFails));
            }
            let failing_body = self.store.nodes.closure(Closure::Body(Body {
                mode: BodyMode::Failing(failure),
                reductions: Box::default(),
                ..closed.clone()
            }));
            let failing = self.store.map(list, failing_body)?;
            let any = self.store.at_least(failing, 1)?;
            let none = self.store.complement(any)?;
            self.must_hold_or(none, failure)?;
        }
        self.store.map(list, closure)
    }

    /// The bounds of a list. If its members are the values of a loop, and are positive because that follows from round to round, they
    /// are positive.
    fn positive(&mut self, list: NodeId, bounds: Bounds) -> Attempt<Bounds> {
        let parts = match self.store.nodes.get(list) {
            Node::Join(parts) | Node::Chain(parts) => parts.to_vec(),
            _ => vec![list],
        };
        for part in parts {
            let is_positive = match *self.store.nodes.get(part) {
                Node::Loop(first, id, order, _) => {
                    let body = self.store.nodes.body_of(id).clone();
                    let first = self.store.bounds(first)?;
                    let all = Bounds::number(1, Bounds::UNKNOWN.high);
                    let next = self.image_that_stays(&body, all, order)?;
                    let is_next = next.is_some_and(|next| next.bounds.most <= 1);
                    first.low >= 1 && first.most <= 1 && is_next
                }
                _ => self.store.bounds(part)?.low >= 1,
            };
            if !is_positive {
                return Ok(bounds);
            }
        }
        Ok(Bounds { low: 1, ..bounds })
    }

    /// A body with the values of its free variables. Variables that it does not use are 0.
    pub(in crate::engine) fn close_over(
        &mut self,
        body: TermId,
        reductions: &[Reduction],
        environment: &[NodeId],
    ) -> Attempt<Body> {
        let free = self.store.free(body);
        let unused = self.store.constant(0);
        let depth = environment.len();
        let mut used = Vec::with_capacity(depth);
        for (place, &value) in environment.iter().enumerate() {
            let index = u32::try_from(depth - place).expect("fewer than 2^32 variables");
            if !free.contains(&index) {
                used.push(unused);
                continue;
            }
            let bounds = self.store.bounds(value)?;
            used.push(if bounds.least == 1 && bounds.most == 1 {
                // That the value is a number must be known even where the number of members is open.
                self.store.number(value)?
            } else {
                value
            });
        }
        Ok(Body {
            term: body,
            environment: used.into(),
            reductions: reductions.into(),
            name: None,
            mode: BodyMode::Value,
            asked: LoopQuestion::Members,
        })
    }

    /// For every value, the body for that value, as often as the value occurs.
    pub(super) fn by_value(
        &mut self,
        list: NodeId,
        values: &[i64],
        body: TermId,
        reductions: &[Reduction],
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let mut parts = Vec::with_capacity(values.len());
        for &value in values {
            let member = self.store.constant(value);
            let equal = self.store.filtered(Compare::Equal, member, list)?;
            let count = self.store.fold(Folding::Count, equal)?;
            let occurs = self.store.at_least(count, 1)?;
            environment.push(member);
            let image = self.on_path(occurs, |translator| {
                translator.translate_and_reduce(body, reductions, Order::Ignored, environment)
            });
            environment.pop();
            parts.push(self.store.copies(count, image?)?);
        }
        self.store.join(&parts)
    }
}

//! What a `foreach` makes of members that are hidden.
//!
//! - A body that is known for every member that can occur is a *table*. Filters, folds and selections go through it,
//!   row by row; a constant table is copies; a table of a table is one.
//! - A body that looks at something hidden, but rolls nothing, is written out by value: for every member `v` that can
//!   occur, the body for `v`, as often as `v` occurs. So `foreach y in x do count ==y x` is a sum over faces.
//! - A body that rolls has a *name*, and its dice are named after it and the member: they are the same wherever the
//!   node is used, and others for every other member. Members that become known are replaced by draws. Dice may also
//!   carry what the body rolls for them ([`super::marks`]).
//!
//! How a body can fail is found once, when it is first met. A body that rolls must not fail for members that are hidden.

use std::rc::Rc;

use super::bounds::Bounds;
use super::hazards::What;
use super::lists::{Members, merged};
use super::node::{Body, Closure, ClosureId, Compare, Image, Look, Node, NodeId, Part};
use super::numbers::of_parts;
use super::pool::{DieId, Drawing, Pool, PoolId};
use super::scope::{Context, Scope};
use super::translate::Order;
use super::{Attempt, Stop};
use crate::engine::failure::Failure;
use crate::engine::reason::Reason;
use crate::ir::{Arithmetic, Folding, TermId};
use crate::limits::LimitReached;

/// A table for more different members than this is not written.
const MOST_ROWS: usize = 1 << 16;

/// A body that looks at what is hidden is written out for at most so many different members.
pub(super) const MOST_VALUES: usize = 256;

/// What is known of a body for members within bounds: of its value, and how it can fail.
#[derive(Debug)]
pub(super) struct BodyImage {
    pub(super) bounds: Bounds,
    failures: Vec<Failure>,
}

/// What a body that rolls draws for one member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    die: DieId,
    /// What each face stands for, where the body is no number.
    table: Option<ClosureId>,
    name: PoolId,
}

impl Scope<'_> {
    /// The rows of a table.
    pub(super) fn rows_of(&self, closure: ClosureId) -> Option<Rc<[(i64, Image)]>> {
        match self.nodes.closure_of(closure) {
            Closure::Table(rows) => Some(Rc::clone(rows)),
            Closure::Body(_) => None,
        }
    }

    /// A table over a list with every row replaced.
    pub(super) fn map_with(
        &mut self,
        list: NodeId,
        rows: &[(i64, Image)],
        mut replace: impl FnMut(&[(i64, u32)]) -> Attempt<Members>,
    ) -> Attempt<NodeId> {
        let rows = rows
            .iter()
            .map(|(member, image)| Ok((*member, replace(image)?.into())))
            .collect::<Attempt<Rc<[_]>>>()?;
        let closure = self.nodes.closure(Closure::Table(rows));
        self.map(list, closure)
    }

    /// Looks at a list, one look after the other.
    pub(super) fn apply(&mut self, looks: &[Look], value: NodeId) -> Attempt<NodeId> {
        let mut value = value;
        for &look in looks {
            value = match look {
                Look::Filter(compare, number) => {
                    let number = self.constant(number);
                    self.filtered(compare, number, value)?
                }
                Look::Fold(folding) => self.fold(folding, value)?,
                Look::Select(selection, n) => {
                    let n = self.constant(n);
                    self.select(selection, n, value)?
                }
            };
        }
        Ok(value)
    }

    /// Looks at a list whose parts have been looked at already.
    pub(super) fn apply_to_parts(&mut self, looks: &[Look], value: NodeId) -> Attempt<NodeId> {
        match looks {
            [.., Look::Fold(folding)] => self.fold(of_parts(*folding), value),
            [.., look @ Look::Select(..)] => self.apply(&[*look], value),
            _ => Ok(value),
        }
    }

    /// The value of a term, looked at.
    pub(super) fn translate_looked(
        &mut self,
        term: TermId,
        looks: &[Look],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let value = self.translate(term, order, environment)?;
        self.apply(looks, value)
    }

    /// The body of a `foreach` for the members of a multiset that is hidden.
    pub(super) fn over_hidden(
        &mut self,
        list: NodeId,
        body: TermId,
        looks: &[Look],
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let random = self.is_random(body);
        if !random
            && self.uses_hidden(body, 1, environment)
            && let Some(values) = self.values(list, MOST_VALUES)?
        {
            return self.by_value(list, &values, body, looks, environment);
        }
        let mut closed = self.closed(body, looks, environment)?;
        closed.name = random.then(|| self.pools.name());
        let closure = self.nodes.closure(Closure::Body(closed.clone()));
        let bounds = self.bounds(list)?;
        for &failure in &self.image(closure, bounds)?.failures {
            if random {
                return Err(Stop::Unsupported(Reason::HiddenBodyRollsAndFails));
            }
            let failing = self.nodes.closure(Closure::Body(Body {
                part: Part::Failing(failure),
                looks: Box::default(),
                ..closed.clone()
            }));
            let failing = self.failing(list, failing)?;
            let any = self.at_least(failing, 1)?;
            let none = self.complement(any)?;
            self.must_hold_or(none, failure)?;
        }
        self.map(list, closure)
    }

    /// A body that rolls nothing, with the values of its free variables.
    pub(super) fn closed(
        &mut self,
        body: TermId,
        looks: &[Look],
        environment: &[NodeId],
    ) -> Attempt<Body> {
        let free = self.free(body);
        let unused = self.constant(0);
        let depth = environment.len();
        let mut used = Vec::with_capacity(depth);
        for (place, &value) in environment.iter().enumerate() {
            let index = u32::try_from(depth - place).expect("fewer than 2^32 variables");
            if !free.contains(&index) {
                used.push(unused);
                continue;
            }
            let bounds = self.bounds(value)?;
            used.push(if bounds.least == 1 && bounds.most == 1 {
                // That this is a number must not be forgotten where sizes are open.
                self.number(value)?
            } else {
                value
            });
        }
        Ok(Body {
            term: body,
            environment: used.into(),
            looks: looks.into(),
            name: None,
            part: Part::Value,
        })
    }

    /// What is known of what a closure makes of one member within bounds.
    pub(super) fn image(&mut self, closure: ClosureId, list: Bounds) -> Attempt<Rc<BodyImage>> {
        // Captured values that were simplified by what is known here are only right together with it.
        if let Closure::Body(body) = self.nodes.closure_of(closure).clone()
            && body
                .environment
                .iter()
                .any(|&value| self.context.knows(self.nodes.mask(value)))
        {
            return self.image_of_body(&body, list).map(Rc::new);
        }
        let key = (closure, list.low, list.high);
        if let Some(known) = self.facts.images.get(&key) {
            return Ok(Rc::clone(known));
        }
        let image = match self.nodes.closure_of(closure).clone() {
            Closure::Table(rows) => BodyImage {
                bounds: Bounds::of_images(
                    rows.iter()
                        .filter(|(member, _)| (list.low..=list.high).contains(member))
                        .map(|(_, image)| &image[..]),
                ),
                failures: Vec::new(),
            },
            Closure::Body(body) => self.within(&mut Context::default(), |scope| {
                scope.image_of_body(&body, list)
            })?,
        };
        let image = Rc::new(image);
        self.facts.images.insert(key, Rc::clone(&image));
        Ok(image)
    }

    fn image_of_body(&mut self, body: &Body, list: Bounds) -> Attempt<BodyImage> {
        let die = self.pools.between(list.low, list.high);
        let pool = self.pools.pool(Pool {
            die,
            dice: 1,
            drawing: Drawing::Independent,
        });
        let member = self.nodes.intern(Node::Draw(pool));
        let mut environment = body.environment.to_vec();
        environment.push(member);
        let (bounds, hazards) = self.apart(|scope| {
            let image =
                scope.translate_looked(body.term, &body.looks, Order::Ignored, &mut environment)?;
            scope.bounds(image)
        })?;
        // In the order of evaluation: the first is the one that ends it.
        let mut failures = Vec::with_capacity(hazards.len());
        for hazard in hazards {
            match hazard.what {
                What::Fails(failure) if failures.contains(&failure) => {}
                What::Fails(failure) => failures.push(failure),
                What::FailsInside { .. } | What::Waits(_) => {
                    return Err(Stop::Unsupported(Reason::HiddenLoop));
                }
            }
        }
        Ok(BodyImage { bounds, failures })
    }

    /// The value of a body for a member; its events were found when it was first met.
    fn value_for(&mut self, body: &Body, member: NodeId) -> Attempt<NodeId> {
        let mut environment = body.environment.to_vec();
        environment.push(member);
        let (value, _) = self.apart(|scope| {
            scope.translate_looked(body.term, &body.looks, Order::Ignored, &mut environment)
        })?;
        Ok(value)
    }

    /// For how many members of a list the body of a closure fails so.
    fn failing(&mut self, list: NodeId, closure: ClosureId) -> Attempt<NodeId> {
        if self.is_number(list) {
            return self.fails(list, closure);
        }
        match self.nodes.get(list).clone() {
            Node::Known(members) => {
                let mut counts = Vec::with_capacity(members.len());
                for &(value, count) in members.iter() {
                    let member = self.constant(value);
                    counts.push((count.into(), self.fails(member, closure)?));
                }
                self.linear(0, &counts)
            }
            Node::Join(parts) | Node::Chain(parts) => {
                let mut counts = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    counts.push((1, self.failing(part, closure)?));
                }
                self.linear(0, &counts)
            }
            Node::Copies(count, member) => {
                let failing = self.failing(member, closure)?;
                self.arithmetic(Arithmetic::Multiply, count, failing)
            }
            Node::If(condition, a, b) => {
                let (a, b) = (self.failing(a, closure)?, self.failing(b, closure)?);
                self.choose(condition, a, b)
            }
            _ => {
                let map = match self.values(list, MOST_ROWS)? {
                    Some(values) if self.is_closed(closure) => {
                        self.tabulated(list, &values, closure)?
                    }
                    _ => self.nodes.intern(Node::Map(list, closure)),
                };
                self.fold(Folding::Sum, map)
            }
        }
    }

    /// 1 if the body of a closure fails so for a member, else 0.
    fn fails(&mut self, member: NodeId, closure: ClosureId) -> Attempt<NodeId> {
        let body = self.nodes.body_of(closure).clone();
        let mut environment = body.environment.into_vec();
        let (_, hazards) = self.apart(|scope| {
            scope.translate_with(body.term, member, Order::Ignored, &mut environment)
        })?;
        let events: Vec<(NodeId, Failure)> = hazards
            .iter()
            .filter_map(|hazard| match hazard.what {
                What::Fails(failure) if body.part == Part::Failing(failure) => {
                    Some((hazard.when, failure))
                }
                _ => None,
            })
            .collect();
        self.any_of(&events)
    }

    /// For every value, the body for it as often as it occurs.
    fn by_value(
        &mut self,
        list: NodeId,
        values: &[i64],
        body: TermId,
        looks: &[Look],
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let mut parts = Vec::with_capacity(values.len());
        for &value in values {
            let member = self.constant(value);
            let equal = self.filtered(Compare::Equal, member, list)?;
            let count = self.fold(Folding::Count, equal)?;
            let occurs = self.at_least(count, 1)?;
            environment.push(member);
            let image = self.on_path(occurs, |scope| {
                scope.translate_looked(body, looks, Order::Ignored, environment)
            });
            environment.pop();
            parts.push(self.copies(count, image?)?);
        }
        self.join(&parts)
    }

    /// What a closure makes of a list.
    pub(super) fn map(&mut self, list: NodeId, closure: ClosureId) -> Attempt<NodeId> {
        let content = self.nodes.closure_of(closure).clone();
        if let Closure::Body(body) = &content
            && let Part::Failing(_) = body.part
        {
            return self.failing(list, closure);
        }
        if let Some(members) = self.known_members(list) {
            return self.map_known(list, &members, closure);
        }
        let named = match &content {
            Closure::Body(body) => body.name,
            Closure::Table(_) => None,
        };
        match self.nodes.get(list).clone() {
            Node::If(condition, a, b) => {
                let (a, b) = (self.map(a, closure)?, self.map(b, closure)?);
                return self.choose(condition, a, b);
            }
            Node::Join(parts) | Node::Chain(parts) => {
                let images = match named {
                    None => parts
                        .iter()
                        .map(|&part| self.map(part, closure))
                        .collect::<Attempt<Vec<_>>>()?,
                    Some(name) => self.map_apart(&parts, closure, name)?,
                };
                return self.join(&images);
            }
            Node::Copies(count, member) => match (self.as_constant(member), named) {
                (_, None) => {
                    let image = self.map(member, closure)?;
                    return self.copies(count, image);
                }
                (Some(value), Some(_)) if self.is_closed(closure) => {
                    return self.instance(closure, value, count);
                }
                _ => {}
            },
            Node::Map(inner, first) => {
                if let (Some(rows), Closure::Table(_)) = (self.rows_of(first), &content) {
                    return self.map_with(inner, &rows, |image| mapped(&content, image));
                }
            }
            _ => {}
        }
        match content {
            Closure::Table(rows) => self.map_by_table(list, &rows, closure),
            Closure::Body(body) if body.name.is_none() => {
                if self.is_number(list) {
                    return self.value_for(&body, list);
                }
                if self.is_closed(closure)
                    && let Some(values) = self.values(list, MOST_ROWS)?
                {
                    return self.tabulated(list, &values, closure);
                }
                Ok(self.nodes.intern(Node::Map(list, closure)))
            }
            Closure::Body(_) => Ok(self.nodes.intern(Node::Map(list, closure))),
        }
    }

    fn map_by_table(
        &mut self,
        list: NodeId,
        rows: &[(i64, Image)],
        closure: ClosureId,
    ) -> Attempt<NodeId> {
        let bounds = self.bounds(list)?;
        let mut within = rows
            .iter()
            .filter(|(member, _)| (bounds.low..=bounds.high).contains(member));
        let Some((_, first)) = within.next().cloned() else {
            return Ok(self.empty());
        };
        let mut is_constant = true;
        let mut is_identity = true;
        for (member, image) in rows
            .iter()
            .filter(|(member, _)| (bounds.low..=bounds.high).contains(member))
        {
            is_constant &= *image == first;
            is_identity &= image[..] == [(*member, 1)];
        }
        if is_identity {
            return Ok(list);
        }
        if is_constant {
            let image = self.known(&first);
            let count = self.fold(Folding::Count, list)?;
            return self.copies(count, image);
        }
        Ok(self.nodes.intern(Node::Map(list, closure)))
    }

    fn map_known(
        &mut self,
        list: NodeId,
        members: &[(i64, u32)],
        closure: ClosureId,
    ) -> Attempt<NodeId> {
        let content = self.nodes.closure_of(closure).clone();
        let mut parts = Vec::with_capacity(members.len());
        match content {
            Closure::Table(_) => {
                let image = mapped(&content, members)?;
                return Ok(self.known(&image));
            }
            Closure::Body(body) if body.name.is_none() => {
                for &(value, count) in members {
                    let (member, count) = (self.constant(value), self.constant(count.into()));
                    let image = self.value_for(&body, member)?;
                    parts.push(self.copies(count, image)?);
                }
            }
            Closure::Body(_) if !self.is_closed(closure) && !members.is_empty() => {
                return Ok(self.nodes.intern(Node::Map(list, closure)));
            }
            Closure::Body(_) => {
                for &(value, count) in members {
                    let count = self.constant(count.into());
                    parts.push(self.instance(closure, value, count)?);
                }
            }
        }
        self.join(&parts)
    }

    /// What a body that rolls makes of the parts of a join. Rolls are named after the body and the member, so parts
    /// in which the same member can occur need names of their own.
    fn map_apart(
        &mut self,
        parts: &[NodeId],
        closure: ClosureId,
        name: PoolId,
    ) -> Attempt<Vec<NodeId>> {
        let mut images = Vec::with_capacity(parts.len());
        let mut seen: Vec<Bounds> = Vec::with_capacity(parts.len());
        // Known members first: what is left keeps its name if it cannot show them again.
        let (known, hidden): (Vec<NodeId>, Vec<NodeId>) = parts
            .iter()
            .partition(|&&part| self.known_members(part).is_some());
        for (index, &part) in known.iter().chain(&hidden).enumerate() {
            let bounds = self.bounds(part)?;
            let apart = seen
                .iter()
                .all(|other| other.high < bounds.low || bounds.high < other.low);
            seen.push(bounds);
            let closure = if apart {
                closure
            } else {
                let name = self.pools.derived(name, part.0, index);
                self.renamed(closure, name)
            };
            images.push(self.map(part, closure)?);
        }
        Ok(images)
    }

    fn renamed(&mut self, closure: ClosureId, name: PoolId) -> ClosureId {
        match self.nodes.closure_of(closure).clone() {
            Closure::Body(body) => self.nodes.closure(Closure::Body(Body {
                name: Some(name),
                ..body
            })),
            Closure::Table(_) => closure,
        }
    }

    /// Whether a closure mentions no pool but its own.
    pub(super) fn is_closed(&self, closure: ClosureId) -> bool {
        match self.nodes.closure_of(closure) {
            Closure::Body(body) => body
                .environment
                .iter()
                .all(|&value| self.nodes.mask(value) == 0),
            Closure::Table(_) => true,
        }
    }

    /// A body that rolls nothing and looks at nothing hidden, as a table.
    fn tabulated(&mut self, list: NodeId, values: &[i64], closure: ClosureId) -> Attempt<NodeId> {
        let mut rows = Vec::with_capacity(values.len());
        for &value in values {
            self.budget.check()?;
            let member = self.constant(value);
            let image = self.map(member, closure)?;
            let image = self
                .known_members(image)
                .ok_or(Stop::Unsupported(Reason::UnknownBody))?;
            rows.push((value, image.into()));
        }
        let table = self.nodes.closure(Closure::Table(rows.into()));
        self.map(list, table)
    }

    /// The values that members of a multiset can have, ascending, whatever is known in this context; nothing if
    /// they are too many.
    pub(super) fn values(&mut self, list: NodeId, most: usize) -> Attempt<Option<Vec<i64>>> {
        let mut values = Vec::new();
        if !self.collect_values(list, most, &mut values)? {
            return Ok(None);
        }
        values.sort_unstable();
        values.dedup();
        Ok((values.len() <= most).then_some(values))
    }

    fn collect_values(
        &mut self,
        list: NodeId,
        most: usize,
        values: &mut Vec<i64>,
    ) -> Attempt<bool> {
        match self.nodes.get(list).clone() {
            Node::Constant(value) => values.push(value),
            Node::Known(members) => values.extend(members.iter().map(|&(value, _)| value)),
            Node::Draw(pool) | Node::Pool(pool) if self.shows_faces(self.pools.get(pool).die) => {
                let die = self.pools.die_of(self.pools.get(pool).die);
                values.extend(die.faces.iter().map(|&(face, _)| face));
            }
            Node::Draws(_, die, _) if self.shows_faces(die) => {
                let die = self.pools.die_of(die);
                values.extend(die.faces.iter().map(|&(face, _)| face));
            }
            Node::Filter(_, _, inner) => {
                let bounds = self.bounds(list)?;
                let mut inside = Vec::new();
                if !self.collect_values(inner, most, &mut inside)? {
                    return Ok(false);
                }
                let range = bounds.low..=bounds.high;
                values.extend(inside.into_iter().filter(|value| range.contains(value)));
            }
            Node::Copies(_, inner) | Node::Select(_, _, inner) => {
                return self.collect_values(inner, most, values);
            }
            Node::If(_, a, b) => {
                return Ok(self.collect_values(a, most, values)?
                    && self.collect_values(b, most, values)?);
            }
            Node::Join(parts) | Node::Chain(parts) => {
                for &part in parts.iter() {
                    if !self.collect_values(part, most, values)? {
                        return Ok(false);
                    }
                }
            }
            Node::Map(inner, closure) if self.rows_of(closure).is_some() => {
                let mut inside = Vec::new();
                if !self.collect_values(inner, MOST_ROWS, &mut inside)? {
                    return Ok(false);
                }
                for (member, image) in self.rows_of(closure).iter().flat_map(|rows| rows.iter()) {
                    if inside.contains(member) {
                        values.extend(image.iter().map(|&(value, _)| value));
                    }
                }
            }
            _ => {
                let bounds = self.bounds(list)?;
                let span = bounds.high.saturating_sub(bounds.low);
                if usize::try_from(span).is_ok_and(|span| span < most) {
                    values.extend(bounds.low..=bounds.high);
                } else if bounds.most > 0 {
                    return Ok(false);
                }
            }
        }
        if values.len() > 4 * most {
            values.sort_unstable();
            values.dedup();
        }
        Ok(values.len() <= 4 * most)
    }

    /// Whether a die can show nothing but its faces.
    pub(super) fn shows_faces(&self, die: DieId) -> bool {
        let die = self.pools.die_of(die);
        die.law.rest.is_none() && die.beyond.is_empty()
    }

    /// So many evaluations, joined, of a body that rolls, for one member.
    fn instance(&mut self, closure: ClosureId, value: i64, count: NodeId) -> Attempt<NodeId> {
        let known = self.facts.instances.get(&(closure, value)).copied();
        let instance = if let Some(instance) = known {
            instance
        } else {
            // A closed body knows nothing of this context, and is used in others.
            let mut empty = Context::default();
            let instance = self.within(&mut empty, |scope| scope.new_instance(closure, value))?;
            self.facts.instances.insert((closure, value), instance);
            instance
        };
        let drawn = self.draws(count, instance.die, instance.name)?;
        match instance.table {
            Some(table) => self.map(drawn, table),
            None => Ok(drawn),
        }
    }

    fn new_instance(&mut self, closure: ClosureId, value: i64) -> Attempt<Instance> {
        let Closure::Body(body) = self.nodes.closure_of(closure).clone() else {
            return Err(Stop::Unsupported(Reason::UnknownBody));
        };
        let member = self.constant(value);
        let image = self.value_for(&body, member)?;
        let (die, table) = self.die_of_list(image)?;
        Ok(Instance {
            die,
            table,
            name: self.pools.name(),
        })
    }

    /// The pool of which each die by itself has its part of a list.
    pub(super) fn each_of(&self, list: NodeId) -> Option<PoolId> {
        match *self.nodes.get(list) {
            Node::Pool(pool) => Some(pool),
            Node::Filter(_, number, inner) if self.as_constant(number).is_some() => {
                self.each_of(inner)
            }
            Node::Map(inner, closure) if self.rows_of(closure).is_some() => self.each_of(inner),
            _ => None,
        }
    }

    /// The part that a die with this face has of such a list.
    pub(super) fn members_for(&self, list: NodeId, face: i64) -> Attempt<Members> {
        Ok(match *self.nodes.get(list) {
            Node::Filter(compare, number, inner) => {
                let number = self
                    .as_constant(number)
                    .expect("a filter of single dice compares with a known number");
                let mut members = self.members_for(inner, face)?;
                members.retain(|&(member, _)| compare.holds(member, number));
                members
            }
            Node::Map(inner, closure) => {
                let members = self.members_for(inner, face)?;
                mapped(self.nodes.closure_of(closure), &members)?
            }
            _ => vec![(face, 1)],
        })
    }
}

/// What a table makes of known members.
pub(super) fn mapped(table: &Closure, members: &[(i64, u32)]) -> Attempt<Members> {
    let Closure::Table(rows) = table else {
        return Err(Stop::Unsupported(Reason::UnknownBody));
    };
    let mut image = Members::new();
    for &(member, count) in members {
        let place = rows
            .binary_search_by_key(&member, |&(member, _)| member)
            .map_err(|_| Stop::Unsupported(Reason::UnknownBody))?;
        for &(value, times) in rows[place].1.iter() {
            let times = times.checked_mul(count).ok_or(LimitReached::List)?;
            image.push((value, times));
        }
    }
    merged(image)
}

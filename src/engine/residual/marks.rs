//! Dice with other faces: what a die shows and what else is rolled for it, at once, or only what is told apart of it.
//!
//! Each die of a pool may carry what a body rolls for it: a *marked* die shows both. Draws that are as many as the dice
//! of a pool say, one after the other, are carried by these dice in the same way. Dice that are seen through tables alone
//! are *relabelled* with what the tables tell apart.

use std::rc::Rc;

use super::lists::{Members, merged};
use super::maps::mapped;
use super::node::{Closure, ClosureId, Image, Node, NodeId};
use super::numbers::binomial_at_most;
use super::pool::{DieId, Drawing, Pool, PoolId};
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::algebra::weight::lcm;
use crate::algebra::{Distribution, Numbers, Weight};
use crate::engine::reason::Reason;
use crate::map::Map;
use crate::number::Integer;

/// Lists with more different values than this do not become faces of a die.
const MOST_MARKS: usize = 20_000;

/// Draws that can show more different lists than this do not become a part of a die.
const MOST_DRAWN: u64 = 1_000;

impl Scope<'_> {
    /// A die for the values of a multiset, with what each face stands for if it is no number.
    pub(super) fn die_of_list(&mut self, list: NodeId) -> Attempt<(DieId, Option<ClosureId>)> {
        let bounds = self.bounds(list)?;
        if bounds.least == 1 && bounds.most == 1 {
            let number = self.number(list)?;
            return Ok((self.die_of(number)?, None));
        }
        let law = self.law_of_list(list)?;
        let law = law.complete()?;
        if law.len() > MOST_MARKS {
            return Err(Stop::Unsupported(Reason::ManyValues));
        }
        let marks = law.iter().map(|(list, weight)| (0, list, weight.clone()));
        let (die, rows) = self.die_of_marks(marks.collect(), law.total().clone())?;
        let rows = rows.into_iter().enumerate();
        let rows = rows.map(|(mark, (_, image))| (as_face(mark), image));
        let table = self.nodes.closure(Closure::Table(rows.collect()));
        Ok((die, Some(table)))
    }

    /// `n` independent evaluations of a list, joined.
    pub(super) fn drawn_lists(&mut self, n: NodeId, list: NodeId) -> Attempt<Option<NodeId>> {
        let (die, table) = match self.die_of_list(list) {
            Err(Stop::Unsupported(_)) => return Ok(None),
            found => found?,
        };
        let name = self.pools.name();
        let drawn = self.draws(n, die, name)?;
        match table {
            Some(table) => self.map(drawn, table).map(Some),
            None => Ok(Some(drawn)),
        }
    }

    /// A die with a face for each pair of a number and a list. Faces ascend with the number, then with the largest members
    /// of the list, so that the largest that is still hidden shrinks as faces are passed.
    fn die_of_marks(
        &mut self,
        mut marks: Vec<(i64, &Vec<i64>, Weight)>,
        total: Weight,
    ) -> Attempt<(DieId, Vec<(i64, Image)>)> {
        marks.sort_by(|a, b| {
            let numbers = a.0.cmp(&b.0);
            numbers.then_with(|| a.1.iter().rev().cmp(b.1.iter().rev()))
        });
        let mut rows = Vec::with_capacity(marks.len());
        let mut weighted = Vec::with_capacity(marks.len());
        for (mark, (number, list, weight)) in marks.into_iter().enumerate() {
            weighted.push((Integer::from(as_face(mark)), weight));
            let members = list.iter().map(|&member| (member, 1)).collect();
            rows.push((number, merged(members)?.into()));
        }
        let law = Numbers::new(weighted, total);
        Ok((self.pools.die(Rc::new(law.into()))?, rows))
    }

    /// A program in which the dice of one pool also show what a body rolls for them, or what is drawn as often as
    /// they say.
    pub(super) fn marked(&mut self, root: NodeId) -> Attempt<Option<NodeId>> {
        let order = self.descending(root);
        for &id in &order {
            let pool = match self.nodes.get(id).clone() {
                Node::Map(list, closure)
                    if self.rows_of(closure).is_none() && self.is_closed(closure) =>
                {
                    self.each_of(list)
                }
                Node::Draws(count, _, name) => self
                    .only_pool(count)
                    .map(|(pool, _)| pool)
                    .filter(|&pool| self.is_additive(count, pool))
                    .filter(|_| self.adds_up(id, name, &order)),
                _ => None,
            };
            if let Some(pool) = pool
                && let Some(marked) = self.marked_by(root, id, pool)?
            {
                return Ok(Some(marked));
            }
        }
        Ok(None)
    }

    /// Whether draws take part in nothing but what each member of a list has by itself. Of draws that a condition
    /// switches on or off, it is better to know the condition first.
    fn adds_up(&mut self, draws: NodeId, name: PoolId, order: &[NodeId]) -> bool {
        order.iter().all(|&id| {
            let node = self.nodes.get(id).clone();
            let is_plain = match node {
                // Draws of the same name in other places would be the same draws.
                _ if self.nodes.pool_of(&node) == Some(name) => id == draws,
                Node::Draws(..) | Node::Fold(..) | Node::Join(_) | Node::Linear(..) => true,
                Node::Copies(_, list) if self.nodes.mask(list) == 0 => true,
                Node::Copies(n, _) | Node::Filter(_, n, _) | Node::Select(_, n, _) => {
                    self.as_constant(n).is_some()
                }
                Node::Map(_, closure) => self.is_closed(closure),
                _ => false,
            };
            is_plain || !self.pools_of(id).contains(&name)
        })
    }

    /// A program in which the dice of a pool also show what each of them has of a list, if that is not too much.
    fn marked_by(&mut self, root: NodeId, id: NodeId, pool: PoolId) -> Attempt<Option<NodeId>> {
        self.budget.check()?;
        let known = self.pools.get(pool).clone();
        if known.drawing != Drawing::Independent || !self.shows_faces(known.die) {
            return Ok(None);
        }
        let total = self.pools.die_of(known.die).law.total().clone();
        let faces = Rc::clone(&self.pools.die_of(known.die).faces);
        let mut laws: Vec<Distribution<Vec<i64>>> = Vec::with_capacity(faces.len());
        let mut common = Weight::from(1_u32);
        let mut marks = 0;
        for &(face, _) in &*faces {
            let Some(image) = self.rolled_for(id, face)? else {
                return Ok(None);
            };
            let law = self.law_of_list(image)?;
            let Ok(law) = law.complete() else {
                return Ok(None);
            };
            common = lcm(&common, law.total());
            marks += law.len();
            laws.push(law.clone());
        }
        if marks > MOST_MARKS {
            return Ok(None);
        }
        let mut weighted = Vec::with_capacity(marks);
        for (&(face, ref weight), law) in faces.iter().zip(&laws) {
            let factor = weight * (&common / law.total());
            weighted.extend(
                law.iter()
                    .map(|(list, weight)| (face, list, weight * &factor)),
            );
        }
        let (die, rows) = self.die_of_marks(weighted, total * common)?;
        let marked = self.pools.pool(Pool { die, ..known });
        let marked = self.nodes.intern(Node::Pool(marked));
        let (mut shown, mut rolled) = (Vec::new(), Vec::new());
        for (mark, (face, image)) in rows.into_iter().enumerate() {
            shown.push((as_face(mark), Image::from([(face, 1)])));
            rolled.push((as_face(mark), image));
        }
        let [shown, rolled] = [shown, rolled].map(|rows| {
            let table = self.nodes.closure(Closure::Table(rows.into()));
            self.map(marked, table)
        });
        let pool = self.nodes.intern(Node::Pool(pool));
        self.replaced(root, &[(pool, shown?), (id, rolled?)])
            .map(Some)
    }

    /// What is rolled for a die with this face: by a body, or as often as the die says.
    fn rolled_for(&mut self, id: NodeId, face: i64) -> Attempt<Option<NodeId>> {
        match *self.nodes.get(id) {
            Node::Map(list, closure) => {
                let members = self.members_for(list, face)?;
                let members = self.known(&members);
                self.map(members, closure).map(Some)
            }
            Node::Draws(count, die, _) => {
                let times = self.value_of(count, face);
                let Some(times) = times.and_then(|times| u32::try_from(times).ok()) else {
                    return Ok(None);
                };
                let sides = self.pools.die_of(die).faces.len() as u64;
                let lists =
                    binomial_at_most(u64::from(times) + sides - 1, times.into(), MOST_DRAWN);
                if !self.shows_faces(die) || lists.is_none() {
                    return Ok(None);
                }
                let (times, name) = (self.constant(times.into()), self.pools.name());
                self.draws(times, die, name).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A program in which dice that are seen through tables alone show what the tables tell apart.
    pub(super) fn relabelled(&mut self, root: NodeId) -> Attempt<Option<NodeId>> {
        let order = self.descending(root);
        // How each source of dice is seen: through these nodes, or (`None`) as it is.
        let mut seen: Map<NodeId, Option<Vec<NodeId>>> = Map::default();
        for &id in order.iter().chain([&root]) {
            let node = self.nodes.get(id);
            let table = match node {
                Node::Map(list, closure) if self.rows_of(*closure).is_some() => Some(*list),
                _ => None,
            };
            self.nodes.for_children(node, |child| {
                let uses = seen.entry(child).or_insert_with(|| Some(Vec::new()));
                match uses {
                    Some(uses) if table == Some(child) => uses.push(id),
                    uses => *uses = None,
                }
            });
        }
        let mut replaced = Vec::new();
        for &id in &order {
            let Some(Some(uses)) = seen.get_mut(&id) else {
                continue;
            };
            uses.sort_unstable();
            uses.dedup();
            let uses = std::mem::take(uses);
            let die = match *self.nodes.get(id) {
                Node::Pool(pool) if self.pools.get(pool).drawing == Drawing::Independent => {
                    self.pools.get(pool).die
                }
                Node::Draws(_, die, _) => die,
                _ => continue,
            };
            if !uses.is_empty() && self.shows_faces(die) {
                self.relabel(id, die, &uses, &mut replaced)?;
            }
        }
        if replaced.is_empty() {
            return Ok(None);
        }
        self.replaced(root, &replaced).map(Some)
    }

    /// Replaces the tables through which alone dice are seen by dice, or tables, with fewer faces.
    fn relabel(
        &mut self,
        source: NodeId,
        die: DieId,
        uses: &[NodeId],
        replaced: &mut Vec<(NodeId, NodeId)>,
    ) -> Attempt<()> {
        let total = self.pools.die_of(die).law.total().clone();
        let faces = Rc::clone(&self.pools.die_of(die).faces);
        let images = |scope: &Self, face: i64| -> Attempt<Vec<Members>> {
            let uses = uses.iter();
            uses.map(|&id| match *scope.nodes.get(id) {
                Node::Map(_, closure) => mapped(scope.nodes.closure_of(closure), &[(face, 1)]),
                _ => Ok(Vec::new()),
            })
            .collect()
        };
        let mut class_of: Map<Vec<Members>, usize> = Map::default();
        let mut classes: Vec<Vec<Members>> = Vec::new();
        let mut weights: Vec<Weight> = Vec::new();
        for &(face, ref weight) in &*faces {
            let key = images(self, face)?;
            let class = *class_of.entry(key.clone()).or_insert_with(|| {
                classes.push(key);
                weights.push(Weight::ZERO);
                classes.len() - 1
            });
            weights[class] += weight;
        }
        let numbers: Option<Vec<i64>> = match uses {
            [_] => classes
                .iter()
                .map(|key| match key[0][..] {
                    [(value, 1)] => Some(value),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        if numbers.is_none() && classes.len() == faces.len() {
            return Ok(());
        }
        // Faces in the order of what the tables make of them.
        let mut ordered: Vec<usize> = (0..classes.len()).collect();
        ordered.sort_by(|&a, &b| {
            let key = |class: usize| classes[class].iter().map(|image| image.iter().rev());
            key(a)
                .zip(key(b))
                .fold(std::cmp::Ordering::Equal, |order, (a, b)| {
                    order.then_with(|| a.cmp(b))
                })
        });
        let faces = ordered.iter().enumerate().map(|(place, &class)| {
            let face = numbers
                .as_ref()
                .map_or(as_face(place), |numbers| numbers[class]);
            (Integer::from(face), weights[class].clone())
        });
        let new = Numbers::new(faces.collect::<Vec<_>>(), total);
        let new = self.pools.die(Rc::new(new.into()))?;
        let drawn = match *self.nodes.get(source) {
            Node::Pool(pool) => {
                let known = self.pools.get(pool).clone();
                let count = self.constant(known.dice.into());
                let name = self.pools.name();
                self.draws(count, new, name)?
            }
            Node::Draws(count, ..) => {
                let name = self.pools.name();
                self.draws(count, new, name)?
            }
            _ => return Ok(()),
        };
        for (index, &id) in uses.iter().enumerate() {
            let image = if numbers.is_some() {
                drawn
            } else {
                let rows = ordered.iter().enumerate();
                let rows = rows
                    .map(|(place, &class)| (as_face(place), classes[class][index].clone().into()))
                    .collect();
                let table = self.nodes.closure(Closure::Table(rows));
                self.map(drawn, table)?
            };
            replaced.push((id, image));
        }
        Ok(())
    }
}

/// A mark as the face of a die.
fn as_face(mark: usize) -> i64 {
    i64::try_from(mark).expect("fewer marks than faces")
}

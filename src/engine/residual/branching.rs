//! Loops in which every member starts its own copy: branching processes.
//!
//! In `count (while x = d3 do ((2*(count >=2 x))#d3))` each die of a value asks for dice of the next value, 0 or 2 of them,
//! whatever the others show. The values have no bound, but what one die and all that descends from it add up to is distributed
//! in the same way for each of them. With `p_f` the probability of face f, `v_f` what it adds and `g_f` how
//! many dice it asks for, the generating function F of that sum satisfies
//!
//! ```text
//! F(z) = Σ_f p_f · z^(v_f) · F(z)^(g_f)
//! ```
//!
//! (T. E. Harris, The Theory of Branching Processes, 1963, chapter I.13), which gives its coefficients one after the other where each
//! face that asks for dice adds something. The process ends with the least probability q in [0, 1] that satisfies `q = Σ_f p_f·q^(g_f)`
//! (ibid., I.6). Given that it ends it is the branching process with the probabilities `p_f·q^(g_f - 1)`, which has
//! finite moments unless its mean number of dice is 1.
//!
//! Where no face asks for more than one die, the sum is that of a renewal, and F a [`Quotient`]: it is listed as far as it matters,
//! and so is the sum of any number of dice. The die may have a tail then, such as that of another loop.

use std::rc::Rc;

use num_integer::Integer as _;
use num_traits::{One, Zero};

use super::accumulate::{Accumulator as _, Sums};
use super::cycles::Steps;
use super::law::{Law, Others, Vague};
use super::moments::Moments;
use super::node::{Node, NodeId, Part};
use super::pool::{DieId, Drawing, Pool};
use super::scope::{Context, Scope};
use super::translate::Order;
use super::{Attempt, Stop};
use crate::algebra::weight::{lcm, probability};
use crate::algebra::{Numbers, Quotient, Weight, Weights};
use crate::engine::reason::Reason;
use crate::ir::Folding;
use crate::number::{Fraction, Integer};

/// No more sums than this are listed: each takes as many multiplications as there are smaller ones.
const MOST_SUMS: usize = 400;

/// An irrational probability is known to within 2 to the power of minus this.
const BITS: u64 = 128;

/// One face of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Face {
    weight: Weight,
    adds: usize,
    asks: u32,
}

/// Parts of a sum, with what each is multiplied by.
type Atoms = Vec<(i64, NodeId)>;

/// A branching process of equal dice.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Process {
    faces: Vec<Face>,
    total: Weight,
    /// What the die shows beyond its faces, if anything.
    tail: Option<FaceTail>,
    /// What every face adds, as far as that is seen without looking at faces.
    known: i64,
    /// How many dice there are at first, if these are of the same kind, and what has been pulled out for them.
    first: Option<(u32, i64)>,
}

/// Each value of a die beyond its faces adds itself, and asks for as many dice.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FaceTail {
    asks: u32,
    /// The whole die, of which each face adds itself, too.
    source: Rc<Quotient>,
    moments: Option<Moments>,
}

/// The probability that a process ends: between two bounds, which are the same where it is rational.
struct Ending {
    low: Fraction,
    high: Fraction,
}

/// What a die shows beyond its faces.
enum Beside {
    Nothing,
    /// Values that all do the same: one more face.
    Face(Face),
    Tail(FaceTail),
    /// Nobody knows what all of them do.
    Unknown,
}

impl Ending {
    /// Of 0, where nothing is added.
    fn law(&self) -> Law {
        let denominators = [&self.low, &self.high].map(|end| end.denom().magnitude());
        let total = crate::algebra::weight::lcm(denominators[0], denominators[1]);
        let weight_of =
            |share: &Fraction| share.numer().magnitude() * (&total / share.denom().magnitude());
        let (low, high) = (weight_of(&self.low), weight_of(&self.high));
        let listed = Numbers::new([(Integer::ZERO, low.clone())], total.clone());
        let vague = vec![Vague::anywhere(&high - low)];
        Law::new(listed, vague, total - high, None)
    }
}

impl Scope<'_> {
    /// The distribution of a number that looks at one branching process through sums and counts, if it does.
    pub(super) fn law_of_branching(&mut self, root: NodeId) -> Attempt<Option<Law>> {
        let Some(process) = self.process(root)? else {
            return Ok(None);
        };
        let _part = self
            .budget
            .part("what follows each die, by its generating function");
        let one = if process.is_renewal() {
            match process.renewal(self)? {
                Some(law) => law,
                None => return Ok(None),
            }
        } else {
            process.law(self)?
        };
        if let Some((dice, known)) = process.first {
            let law = one.power(dice, self.budget)?;
            return law.shifted(&(-known).into()).map(Some);
        }
        // The first value may be of other dice: each way it can turn out is followed by so many copies.
        let Steps { total, never, ways } = self.steps(root, &Sums)?;
        let mut parts: Vec<(Weight, Rc<Law>)> = Vec::with_capacity(ways.len());
        for (add, weight, node) in ways {
            // What surely comes of a die itself has been pulled out of the step.
            let (law, known) = match self.copies_of(node) {
                Some(copies) => {
                    let law = one.power(copies, self.budget)?;
                    (law, process.known * i64::from(copies))
                }
                None => ((*self.law(node)?).clone(), 0),
            };
            parts.push((weight, Rc::new(law.shifted(&(add - known).into())?)));
        }
        let others = Others {
            never,
            ..Others::nothing(total)
        };
        Law::mixture(&parts, others, self.budget).map(Some)
    }

    /// Of how many dice the loop of a program asks what comes after them.
    fn copies_of(&mut self, id: NodeId) -> Option<u32> {
        let mut loops =
            self.descending(id)
                .into_iter()
                .filter_map(|id| match *self.nodes.get(id) {
                    Node::Loop(value, ..) => Some(value),
                    _ => None,
                });
        match *self.nodes.get(loops.next()?) {
            Node::Pool(pool) => Some(self.pools.get(pool).dice),
            Node::Draw(_) => Some(1),
            _ => None,
        }
    }

    /// The process of the only loop of a program, if there is one.
    fn process(&mut self, root: NodeId) -> Attempt<Option<Process>> {
        let mut found = None;
        for id in self.descending(root) {
            if let Node::Loop(value, closure, order, _) = *self.nodes.get(id) {
                if found.is_some() {
                    return Ok(None);
                }
                found = Some((id, value, closure, order));
            }
        }
        let Some((looped, value, closure, Order::Ignored)) = found else {
            return Ok(None);
        };
        let body = self.nodes.body_of(closure).clone();
        let captured = body.environment.iter().any(|&id| self.nodes.mask(id) != 0);
        let (Node::Pool(first) | Node::Draw(first)) = *self.nodes.get(value) else {
            return Ok(None);
        };
        if captured || body.part != Part::Value || !self.only_adds(root, looped) {
            return Ok(None);
        }
        let Pool {
            die: first,
            dice: first_dice,
            drawing,
        } = *self.pools.get(first);
        let mut environment = body.environment.into_vec();
        let Some((_, die)) = self.offspring(first, body.term, &mut environment)? else {
            return Ok(None);
        };
        let Some((asks, again)) = self.offspring(die, body.term, &mut environment)? else {
            return Ok(None);
        };
        let law = Rc::clone(&self.pools.die_of(die).law);
        if again != die {
            return Ok(None);
        }
        let mut faces = Vec::with_capacity(law.listed.len());
        for &(face, ref weight) in &*Rc::clone(&self.pools.die_of(die).faces) {
            let asks = self
                .value_of(asks, face)
                .and_then(|asks| u32::try_from(asks).ok());
            let adds = self.added_by(root, looped, face);
            let adds = adds.and_then(|adds| usize::try_from(adds).ok());
            let (Some(asks), Some(adds)) = (asks, adds) else {
                return Ok(None);
            };
            faces.push(Face {
                weight: weight.clone(),
                adds,
                asks,
            });
        }
        let tail = match self.tail_of(root, looped, asks, die)? {
            Beside::Nothing => None,
            Beside::Face(face) => {
                faces.push(face);
                None
            }
            Beside::Tail(tail) => Some(tail),
            Beside::Unknown => return Ok(None),
        };
        // Where only its end matters, nothing is added.
        let is_listed = faces.iter().all(|face| face.asks == 0 || face.adds > 0)
            || faces.iter().all(|face| face.adds == 0);
        let known = self.added_by_all(root, looped, die)?;
        let is_same = first == die && drawing == Drawing::Independent;
        let first = if is_same {
            let known = self.pulled_out(root, looped, value)?;
            known.map(|known| (first_dice, known))
        } else {
            None
        };
        let process = Process {
            faces,
            total: law.total().clone(),
            tail,
            known,
            first,
        };
        let branches = process.faces.iter().any(|face| face.asks > 1) && process.tail.is_none();
        Ok((is_listed && branches || process.is_renewal()).then_some(process))
    }

    /// The sums and counts of what comes of a loop, and the rest of a program that only adds; that the loop ends is
    /// in neither.
    fn looks_at(&self, root: NodeId, looped: NodeId) -> (Atoms, Atoms) {
        let mut atoms = match self.nodes.get(root) {
            Node::Linear(_, atoms) => atoms.to_vec(),
            _ => vec![(1, root)],
        };
        let waits = |atom| matches!(*self.nodes.get(atom), Node::Over(list) if list == looped);
        atoms.retain(|&(_, atom)| !waits(atom));
        atoms.into_iter().partition(|&(_, atom)| {
            matches!(*self.nodes.get(atom), Node::Fold(_, list) if self.is_filter_of(list, looped))
        })
    }

    /// Whether a program looks at the first value of a loop as it does at what comes after it: then so much has been pulled out of
    /// it that every first value adds.
    fn pulled_out(&mut self, root: NodeId, looped: NodeId, value: NodeId) -> Attempt<Option<i64>> {
        let (looks, others) = self.looks_at(root, looped);
        let looks = self.linear(0, &looks)?;
        let mut context = Context::replacing(&[(looped, value)], self.nodes.mask(looped));
        let first = self.under(&mut context, looks)?;
        let (known, first) = Sums.strip(self, first)?;
        let others = self.linear(0, &others)?;
        Ok((first == others).then_some(known))
    }

    /// What the die of a process shows beyond its faces.
    fn tail_of(&self, root: NodeId, looped: NodeId, asks: NodeId, die: DieId) -> Attempt<Beside> {
        let die = self.pools.die_of(die);
        let Some(rest) = &die.law.rest else {
            return Ok(Beside::Nothing);
        };
        let [beyond] = &*die.beyond else {
            return Ok(Beside::Unknown);
        };
        let decided = |range: Option<(i64, i64)>| range.filter(|(low, high)| low == high);
        let asks = decided(self.value_between(asks, beyond)?);
        let Some(asks) = asks.and_then(|(asks, _)| u32::try_from(asks).ok()) else {
            return Ok(Beside::Unknown);
        };
        if rest.never != Weight::ZERO {
            return Ok(Beside::Unknown);
        }
        let (looks, _) = self.looks_at(root, looped);
        let mut adds = Some(0);
        for &(coefficient, look) in &looks {
            let add = decided(self.value_between(look, beyond)?);
            let add = add.and_then(|(add, _)| add.checked_mul(coefficient));
            adds = adds
                .zip(add)
                .and_then(|(sum, add): (i64, i64)| sum.checked_add(add));
        }
        if let Some(adds) = adds.and_then(|adds| usize::try_from(adds).ok()) {
            let weight = beyond.weight.clone();
            return Ok(Beside::Face(Face { weight, adds, asks }));
        }
        let adds_itself = match looks[..] {
            [(1, look)] => {
                matches!(*self.nodes.get(look), Node::Fold(Folding::Sum, list) if list == looped)
            }
            _ => false,
        };
        let source = rest.source.clone().filter(|_| adds_itself && asks <= 1);
        Ok(match source {
            None => Beside::Unknown,
            Some(source) => Beside::Tail(FaceTail {
                asks,
                source,
                moments: rest.moments.clone(),
            }),
        })
    }

    /// The constant that a program adds for each member of a loop, where these are dice of one kind.
    fn added_by_all(&mut self, root: NodeId, looped: NodeId, die: DieId) -> Attempt<i64> {
        let pool = self.pools.pool(Pool {
            die,
            dice: 2,
            drawing: Drawing::Independent,
        });
        let pair = self.nodes.intern(Node::Pool(pool));
        let atoms: Vec<(i64, NodeId)> = match self.nodes.get(root) {
            Node::Linear(_, atoms) => atoms.to_vec(),
            _ => vec![(1, root)],
        };
        let mut looking = Vec::new();
        for (coefficient, atom) in atoms {
            if matches!(self.nodes.get(atom), Node::Fold(_, list) if self.is_filter_of(*list, looped))
            {
                looking.push((coefficient, atom));
            }
        }
        let looking = self.linear(0, &looking)?;
        let mut context = Context::replacing(&[(looped, pair)], self.nodes.mask(looped));
        let own = self.under(&mut context, looking)?;
        let (of_pair, _) = Sums.strip(self, own)?;
        Ok(of_pair / 2)
    }

    /// How many dice the dice of a value ask for, as a number that is a sum over them, and of which kind.
    fn offspring(
        &mut self,
        die: DieId,
        body: crate::ir::TermId,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<Option<(NodeId, DieId)>> {
        let pool = self.pools.pool(Pool {
            die,
            dice: 2,
            drawing: Drawing::Independent,
        });
        let value = self.nodes.intern(Node::Pool(pool));
        let (next, _) =
            self.apart(|scope| scope.translate_with(body, value, Order::Ignored, environment))?;
        Ok(match *self.nodes.get(next) {
            Node::Draws(count, die, _) if self.is_additive(count, pool) => Some((count, die)),
            _ => None,
        })
    }

    /// Whether a program looks at a loop only through sums and counts of filters by known numbers.
    fn only_adds(&self, root: NodeId, looped: NodeId) -> bool {
        let atoms = match self.nodes.get(root) {
            Node::Linear(_, atoms) => atoms.to_vec(),
            _ => vec![(1, root)],
        };
        let mut looks = 0;
        for &(_, atom) in &atoms {
            let looks_so = match *self.nodes.get(atom) {
                Node::Fold(Folding::Sum | Folding::Count, list) => self.is_filter_of(list, looped),
                Node::Over(list) => list == looped,
                _ => false,
            };
            if looks_so {
                looks += 1;
            } else if self.descending(atom).contains(&looped) {
                return false;
            }
        }
        looks > 0
    }

    fn is_filter_of(&self, list: NodeId, looped: NodeId) -> bool {
        match *self.nodes.get(list) {
            Node::Filter(_, number, inner) => {
                self.as_constant(number).is_some() && self.is_filter_of(inner, looped)
            }
            _ => list == looped,
        }
    }

    /// What a member of a loop adds to a program that only adds.
    fn added_by(&self, root: NodeId, looped: NodeId, face: i64) -> Option<i64> {
        let atoms = match self.nodes.get(root) {
            Node::Linear(_, atoms) => atoms.to_vec(),
            _ => vec![(1, root)],
        };
        atoms.iter().try_fold(0_i64, |sum, &(coefficient, atom)| {
            let Node::Fold(_, list) = *self.nodes.get(atom) else {
                return Some(sum);
            };
            if !self.is_filter_of(list, looped) {
                return Some(sum);
            }
            sum.checked_add(coefficient.checked_mul(self.value_of(atom, face)?)?)
        })
    }
}

impl Process {
    /// Whether each die is followed by one at most, and one that is followed adds something.
    fn is_renewal(&self) -> bool {
        let mut faces = self.faces.iter();
        faces.all(|face| face.asks == 0 || face.asks == 1 && face.adds > 0)
            && self.faces.iter().any(|face| face.asks == 0)
    }

    /// The weights of what faces add that ask for so many dice, and their total, by what they have in common.
    fn adding(&self, asks: u32) -> (Vec<(u64, Weight)>, Weight) {
        let faces = self.faces.iter().filter(|face| face.asks == asks);
        let common = faces
            .clone()
            .fold(self.total.clone(), |common, face| common.gcd(&face.weight));
        let weights = faces.map(|face| (face.adds as u64, &face.weight / &common));
        (weights.collect(), &self.total / &common)
    }

    /// What one die and those that follow it add up to, where one at most follows each.
    fn renewal(&self, scope: &Scope<'_>) -> Attempt<Option<Law>> {
        let ((ends, ends_total), (goes_on, goes_on_total)) = (self.adding(0), self.adding(1));
        let quotient = match &self.tail {
            None => {
                let total = lcm(&ends_total, &goes_on_total);
                let over = |weights: Vec<(u64, Weight)>, own: &Weight| {
                    let factor = &total / own;
                    weights
                        .into_iter()
                        .map(move |(adds, weight)| (adds, weight * &factor))
                };
                Quotient::renewal(
                    over(ends, &ends_total),
                    over(goes_on, &goes_on_total),
                    &total,
                )
            }
            Some(tail) if tail.asks == 1 => tail.source.until(&ends, &ends_total),
            Some(tail) => tail.source.while_among(&goes_on, &goes_on_total),
        };
        let Some(quotient) = quotient else {
            return Ok(None);
        };
        let moments = match &self.tail {
            None => Some(self.moments(&Fraction::one())),
            Some(tail) => self.moments_with(tail),
        };
        scope.is_cut.set(true);
        Law::of_quotient(quotient, moments, &scope.tolerance(), scope.budget)
    }

    /// The moments of a renewal whose die has a tail: as [`Process::moments`], where a face adds v, and g is 1 if it
    /// is followed.
    fn moments_with(&self, tail: &FaceTail) -> Option<Moments> {
        let whole = |number: usize| Fraction::from_integer(number.into());
        let share = |asks: u32, of: fn(usize) -> usize| -> Fraction {
            let faces = self.faces.iter().filter(|face| face.asks == asks);
            let sum: Weight = faces.map(|face| &face.weight * of(face.adds)).sum();
            probability(&sum, &self.total)
        };
        let known = tail.moments.as_ref()?;
        let (value, square) = (known.first.as_ref()?, known.second.as_ref()?);
        let (asked, both) = match tail.asks {
            1 => (whole(1) - share(0, |_| 1), value - share(0, |adds| adds)),
            _ => (share(1, |_| 1), share(1, |adds| adds)),
        };
        let left = whole(1) - &asked;
        let mean = value / &left;
        let squares = square + whole(2) * &mean * both + &mean * &mean * asked;
        let variance = (squares - &mean * &mean) / left;
        Some(Moments {
            ends: whole(1),
            second: Some(variance + &mean * &mean),
            first: Some(mean),
        })
    }

    /// What one die and all that descends from it add up to.
    fn law(&self, scope: &Scope<'_>) -> Attempt<Law> {
        let budget = scope.budget;
        let most = self.faces.iter().map(|face| face.asks).max().unwrap_or(0);
        let ending = self.ending();
        if self.faces.iter().all(|face| face.adds == 0) {
            return Ok(ending.law());
        }
        let tolerance = &budget.limits().tolerance * &scope.depth;
        scope.is_cut.set(true);
        // The coefficient of z^m is an integer over T^(1 + G·m), G the most dice asked for: a tree that adds m has at
        // most m faces that ask for dice. powers[g][m] is that of F^(g+1), over T^(g + 1 + G·m).
        let growth = self.total.pow(most);
        let mut powers: Vec<Vec<Weight>> = vec![Vec::new(); most as usize];
        let (mut listed, mut scale) = (Fraction::zero(), self.total.clone());
        let scaled: Vec<Weight> = self
            .faces
            .iter()
            .map(|face| {
                let exponent = u64::from(most) * face.adds as u64 - u64::from(face.asks);
                let exponent =
                    u32::try_from(exponent).map_err(|_| Stop::Unsupported(Reason::LargeSteps))?;
                Ok(&face.weight * self.total.pow(exponent))
            })
            .collect::<Attempt<_>>()?;
        while powers[0].len() < MOST_SUMS {
            if !listed.is_zero() && &ending.low - &listed <= tolerance {
                break;
            }
            budget.look_at_clock()?;
            let sum = powers[0].len();
            let mut coefficient = Weight::ZERO;
            for (face, weight) in self.faces.iter().zip(&scaled) {
                let Some(rest) = sum.checked_sub(face.adds) else {
                    continue;
                };
                if face.asks > 0 {
                    coefficient += weight * &powers[face.asks as usize - 1][rest];
                } else if rest == 0 {
                    coefficient += weight;
                }
            }
            listed += probability(&coefficient, &scale);
            scale *= &growth;
            powers[0].push(coefficient);
            for power in 1..powers.len() {
                let product = (0..=sum)
                    .map(|index| &powers[power - 1][index] * &powers[0][sum - index])
                    .sum();
                powers[power].push(product);
            }
        }
        Ok(self.finished(&powers[0], &ending))
    }

    /// The law of so many listed sums, of which the m-th is over `T^(1 + G·m)`.
    fn finished(&self, sums: &[Weight], ending: &Ending) -> Law {
        let most = self.faces.iter().map(|face| face.asks).max().unwrap_or(0);
        let growth = self.total.pow(most);
        let deep = u32::try_from(sums.len() - 1).expect("few sums");
        let base = &self.total * growth.clone().pow(deep);
        let denominators = [&ending.low, &ending.high].map(|end| end.denom().magnitude().clone());
        let total = denominators
            .iter()
            .fold(base.clone(), |total, denominator| {
                crate::algebra::weight::lcm(&total, denominator)
            });
        let mut factor = &total / &base;
        let mut weights = Weights::zeros(sums.len(), total.bits());
        for (index, sum) in sums.iter().enumerate().rev() {
            weights.set(index, &(sum * &factor));
            factor *= &growth;
        }
        let listed = Numbers::from_weights(0, weights, total.clone());
        let weight_of =
            |share: &Fraction| share.numer().magnitude() * (&total / share.denom().magnitude());
        let (low, high) = (weight_of(&ending.low), weight_of(&ending.high));
        let tail = Vague {
            low: Some(Integer::from(sums.len())),
            high: None,
            weight: &low - listed.mass(),
        };
        let vague = vec![tail, Vague::anywhere(&high - &low)];
        let never = &total - high;
        let moments = (ending.low == ending.high).then(|| self.moments(&ending.low));
        Law::new(listed, vague, never, moments).reduced()
    }

    /// Moments by way of the process given that it ends: for its sum S of mean m, with `w = v + g·m`,
    /// `m = E[v] / (1 - E[g])` and `Var[S] = Var[w] / (1 - E[g])`.
    fn moments(&self, ends: &Fraction) -> Moments {
        let total = Fraction::from_integer(self.total.clone().into());
        let faces: Vec<(Fraction, Fraction, Fraction)> = self
            .faces
            .iter()
            .map(|face| {
                let weight = Fraction::from_integer(face.weight.clone().into());
                let share =
                    num_traits::Pow::pow(ends.clone(), face.asks) * weight / (&total * ends);
                let adds = Fraction::from_integer(face.adds.into());
                (share, adds, Fraction::from_integer(face.asks.into()))
            })
            .collect();
        let asked: Fraction = faces.iter().map(|(share, _, asks)| share * asks).sum();
        let left = Fraction::one() - asked;
        if left.is_zero() {
            return Moments {
                ends: ends.clone(),
                first: None,
                second: None,
            };
        }
        let added: Fraction = faces.iter().map(|(share, adds, _)| share * adds).sum();
        let mean = added / &left;
        let squares: Fraction = faces
            .iter()
            .map(|(share, adds, asks)| {
                let whole = adds + asks * &mean;
                share * &whole * &whole
            })
            .sum();
        let variance = (squares - &mean * &mean) / left;
        Moments {
            ends: ends.clone(),
            second: Some((variance + &mean * &mean) * ends),
            first: Some(mean * ends),
        }
    }

    /// The probability that the process of one die ends.
    fn ending(&self) -> Ending {
        let one = Fraction::one();
        let asked: Weight = self.faces.iter().map(|face| &face.weight * face.asks).sum();
        if asked <= self.total {
            return Ending {
                low: one.clone(),
                high: one,
            };
        }
        // Below the least fixed point the image of a number is above it; between that and 1, below.
        let (mut low, mut high) = (Fraction::zero(), one.clone());
        let half = Fraction::new(1.into(), 2.into());
        for _ in 0..BITS {
            let middle = (&low + &high) * &half;
            let image = self.image(&middle);
            if image == middle {
                return Ending {
                    low: middle.clone(),
                    high: middle,
                };
            }
            if image > middle {
                low = middle;
            } else {
                high = middle;
            }
            if let Some(simple) = simplest(&low, &high, &self.total)
                && self.image(&simple) == simple
            {
                return Ending {
                    low: simple.clone(),
                    high: simple,
                };
            }
        }
        Ending { low, high }
    }

    /// `Σ_f p_f·q^(g_f)`
    fn image(&self, q: &Fraction) -> Fraction {
        let sum: Fraction = self
            .faces
            .iter()
            .map(|face| {
                num_traits::Pow::pow(q.clone(), face.asks)
                    * Fraction::from_integer(face.weight.clone().into())
            })
            .sum();
        sum / Fraction::from_integer(self.total.clone().into())
    }
}

/// The fraction of least denominator between two numbers, if that is at most so large: a rational root of a
/// polynomial with integer coefficients has a denominator that divides the first of them.
fn simplest(low: &Fraction, high: &Fraction, largest: &Weight) -> Option<Fraction> {
    // Down the Stern-Brocot tree, many steps to one side at once.
    let floor = low.floor();
    let next = &floor + Fraction::one();
    let found = if low.is_integer() {
        floor
    } else if next <= *high {
        next
    } else {
        let inner = simplest(&(high - &floor).recip(), &(low - &floor).recip(), largest)?;
        floor + inner.recip()
    };
    (found.denom().magnitude() <= largest).then_some(found)
}

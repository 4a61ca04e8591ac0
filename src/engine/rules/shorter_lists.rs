//! Lists of dice with tails, listed no further than the limit of outcomes allows.
//!
//! A die with a tail lists its faces until the tail is improbable. A list of several such dice has a face for each of
//! them, so there can be very many lists. The dice are cut: all of them list their faces up to a common bound only, and
//! their tails take over the others. The bound is the greatest for which there are no more lists than the limit
//! allows. There are
//!
//! ```text
//! C(d + n - 1, n)  lists of n dice that list d faces, not in order
//! d^n              lists of n dice that list d faces, in order
//! ```
//!
//! A list with a die in its tail has a member beyond the bound. So a list without such a member has its exact weight.
//! All others, also those of dice without tails, are unresolved.
//!
//! Cost: a binary search over the faces, which counts lists in each step.
//!
//! A list whose dice have no tails is left as it is, whatever the number of its lists.

use std::rc::Rc;

use crate::algebra::Law;
use crate::engine::program::{Die, DieId, Drawing, Node, NodeId, Pool, Store};
use crate::engine::reveal::closed_parts_solved;
use crate::engine::simplify::{Forms as _, binomial_at_most};
use crate::engine::stop::Attempt;
use crate::map::Map;
use crate::stack;

/// A list whose dice are cut.
pub(in crate::engine) struct ShorterLists {
    /// The list.
    pub(in crate::engine) list: NodeId,
    /// Where its dice are cut.
    cut: Cut,
}

/// Where dice are cut. Members at the bound or beyond it, on the side of the tails, may come from tails.
#[derive(Clone, Copy, Debug)]
struct Cut {
    side: Side,
    bound: i64,
}

impl Cut {
    /// The faces that a die lists: all of them, unless it has a tail.
    fn faces(self, die: &Die) -> impl Iterator<Item = i64> {
        let has_tail = Side::of(&die.law).is_some();
        let faces = die.faces.iter().map(|&(face, _)| face);
        faces.filter(move |&face| !has_tail || self.side.is_inside(face, self.bound))
    }
}

impl ShorterLists {
    /// Whether all lists with these members come from listed faces.
    pub(in crate::engine) fn has_exactly(&self, members: &[i64]) -> bool {
        let Cut { side, bound } = self.cut;
        members.iter().all(|&member| side.is_inside(member, bound))
    }
}

/// The side of a tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

impl Side {
    /// The side of the only tail of a law, which can take over listed outcomes.
    fn of(law: &Law) -> Option<Self> {
        match (law.below(), law.above()) {
            (None, Some(_)) => Some(Self::Above),
            (Some(_), None) => Some(Self::Below),
            _ => None,
        }
    }

    fn is_inside(self, face: i64, bound: i64) -> bool {
        match self {
            Self::Above => face < bound,
            Self::Below => face > bound,
        }
    }
}

/// The list with its dice cut, if it has dice with tails and more lists than the limit of outcomes. `None` for other
/// lists, and for lists of dice with tails on different sides.
pub(in crate::engine) fn shorter_lists(
    store: &mut Store<'_>,
    list: NodeId,
) -> Attempt<Option<ShorterLists>> {
    if !may_have_tails(store, list) {
        return Ok(None);
    }
    let root = closed_parts_solved(store, list, true)?;
    let mut dice = Vec::new();
    tailed_dice(store, root, &mut dice)?;
    dice.sort_unstable();
    dice.dedup();
    let sides = dice
        .iter()
        .map(|&(_, die)| Side::of(&store.pools.die_of(die).law));
    let mut sides: Vec<Side> = sides.flatten().collect();
    sides.dedup();
    let [side] = sides[..] else {
        return Ok(None);
    };
    let most = store.budget.limits().outcomes;
    if lists(store, root, None, most)?.is_some() {
        return Ok(None);
    }
    let bounds = bounds_of_cuts(store, &dice, side)?;
    // The bounds before `low` leave few enough lists, and those from `high` on too many.
    let (mut low, mut high) = (0, bounds.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        let cut = Some(Cut {
            side,
            bound: bounds[middle],
        });
        if lists(store, root, cut, most)?.is_some() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let Some(&bound) = low.checked_sub(1).and_then(|last| bounds.get(last)) else {
        return Ok(None);
    };
    let cut = Cut { side, bound };
    let mut replaced = Vec::with_capacity(dice.len());
    let mut cut_of: Map<DieId, DieId> = Map::default();
    // In ascending order, a number of draws comes before the draws.
    for (node, die) in dice {
        let shorter = if let Some(&shorter) = cut_of.get(&die) {
            shorter
        } else {
            let known = store.pools.die_of(die);
            let law = (*known.law).clone().cut(cut.faces(known).count());
            let law = law.reduced(store.budget)?;
            let shorter = store.pools.die(Rc::new(law), store.budget)?;
            cut_of.insert(die, shorter);
            shorter
        };
        let cut = with_die(store, node, shorter, &replaced)?;
        replaced.push((node, cut));
    }
    store.note_short_lists();
    let list = store.replaced(root, &replaced)?;
    Ok(Some(ShorterLists { list, cut }))
}

/// The same dice with another die. If their number depends on dice that are replaced, it depends on the new ones.
fn with_die(
    store: &mut Store<'_>,
    node: NodeId,
    die: DieId,
    replaced: &[(NodeId, NodeId)],
) -> Attempt<NodeId> {
    Ok(match *store.nodes.get(node) {
        Node::Pool(pool) | Node::Draw(pool) => {
            let is_pool = matches!(store.nodes.get(node), Node::Pool(_));
            let known = store.pools.get(pool).clone();
            let pool = store.pools.pool(Pool { die, ..known });
            store.nodes.intern(if is_pool {
                Node::Pool(pool)
            } else {
                Node::Draw(pool)
            })
        }
        Node::Draws(count, _, name) => {
            let count = store.replaced(count, replaced)?;
            store.draws(count, die, name)?
        }
        _ => {
            let drawing = Drawing::Independent;
            let dice = 1;
            let pool = store.pools.pool(Pool { die, dice, drawing });
            store.nodes.intern(Node::Draw(pool))
        }
    })
}

/// Whether a program mentions dice with tails, or loops, which may have tails.
fn may_have_tails(store: &Store<'_>, root: NodeId) -> bool {
    let has_tail = |die: DieId| Side::of(&store.pools.die_of(die).law).is_some();
    let mut order = store.descending(root).into_iter();
    order.any(|id| match *store.nodes.get(id) {
        Node::Pool(pool) | Node::Draw(pool) => has_tail(store.pools.get(pool).die),
        Node::Draws(_, die, _) => has_tail(die),
        Node::Loop(..) => true,
        _ => false,
    })
}

/// The bounds at which dice can be cut, the most narrow one first. Each die lists a face within any of them, and has its
/// tail beyond all of them.
fn bounds_of_cuts(store: &Store<'_>, dice: &[(NodeId, DieId)], side: Side) -> Attempt<Vec<i64>> {
    let mut bounds = Vec::new();
    for &(_, die) in dice {
        let die = store.pools.die_of(die);
        store.has_room_for::<[i64; 2]>(die.faces.len())?;
        bounds.extend(die.faces.iter().map(|&(face, _)| face));
        bounds.extend(die.beyond.iter().map(|beyond| match side {
            Side::Above => beyond.low,
            Side::Below => beyond.high,
        }));
    }
    bounds.sort_unstable();
    bounds.dedup();
    if side == Side::Below {
        bounds.reverse();
    }
    for &(_, die) in dice {
        let die = store.pools.die_of(die);
        let (first, tail) = match (side, &*die.beyond) {
            (Side::Above, [beyond]) => (die.faces.first(), beyond.low),
            (Side::Below, [beyond]) => (die.faces.last(), beyond.high),
            _ => (None, 0),
        };
        let Some(&(first, _)) = first else {
            return Ok(Vec::new());
        };
        let is_possible =
            |&bound: &i64| side.is_inside(first, bound) && !side.is_inside(tail, bound);
        bounds.retain(is_possible);
    }
    Ok(bounds)
}

/// Adds the dice with tails whose faces are members of the list, each with its node.
fn tailed_dice(
    store: &mut Store<'_>,
    list: NodeId,
    dice: &mut Vec<(NodeId, DieId)>,
) -> Attempt<()> {
    let die = match store.nodes.get(list).clone() {
        Node::Pool(pool) | Node::Draw(pool) => store.pools.get(pool).die,
        Node::Draws(_, die, _) => die,
        Node::Filter(_, _, inner) | Node::Select(_, _, inner) | Node::Copies(_, inner) => {
            return stack::level(|| tailed_dice(store, inner, dice));
        }
        Node::If(_, a, b) => {
            stack::level(|| tailed_dice(store, a, dice))?;
            return stack::level(|| tailed_dice(store, b, dice));
        }
        Node::Join(parts) | Node::Chain(parts) => {
            for &part in parts.iter() {
                stack::level(|| tailed_dice(store, part, dice))?;
            }
            return Ok(());
        }
        _ => return Ok(()),
    };
    if Side::of(&store.pools.die_of(die).law).is_some() {
        dice.push((list, die));
    }
    Ok(())
}

/// An upper bound of the number of lists of dice that are cut. `None` if it exceeds `most`.
fn lists(store: &mut Store<'_>, list: NodeId, cut: Option<Cut>, most: u64) -> Attempt<Option<u64>> {
    let of_die = |store: &Store<'_>, die: DieId| {
        let die = store.pools.die_of(die);
        cut.map_or(die.faces.len(), |cut| cut.faces(die).count()) as u64
    };
    if let Node::Join(parts) = store.nodes.get(list).clone()
        && let Some(lists) = joined_lists(store, &parts, cut, most)?
    {
        return Ok(Some(lists).filter(|&lists| lists <= most));
    }
    Ok(match store.nodes.get(list).clone() {
        Node::Draw(pool) => Some(of_die(store, store.pools.get(pool).die)),
        Node::Pool(pool) => {
            let known = store.pools.get(pool);
            let (dice, sides) = (u64::from(known.dice), of_die(store, known.die));
            binomial_at_most(sides.saturating_add(dice).saturating_sub(1), dice, most)
        }
        // Fewer dice, or none: a die that is not there has one face more.
        Node::Draws(count, die, _) => {
            let dice = store.bounds(count)?.high;
            let dice = u64::try_from(dice).unwrap_or(0);
            binomial_at_most(of_die(store, die).saturating_add(dice), dice, most)
        }
        Node::Filter(_, _, inner) => match *store.nodes.get(inner) {
            Node::Pool(pool) => {
                let known = store.pools.get(pool);
                let (dice, sides) = (u64::from(known.dice), of_die(store, known.die));
                binomial_at_most(sides.saturating_add(dice), dice, most)
            }
            _ => stack::level(|| lists(store, inner, cut, most))?,
        },
        Node::Select(_, _, inner) => match *store.nodes.get(inner) {
            Node::Pool(pool) => {
                let known = store.pools.get(pool);
                let (dice, sides) = (u64::from(known.dice), of_die(store, known.die));
                let kept = store.bounds(list)?.most.max(0).unsigned_abs().min(dice);
                binomial_at_most(sides.saturating_add(kept).saturating_sub(1), kept, most)
            }
            _ => stack::level(|| lists(store, inner, cut, most))?,
        },
        Node::Copies(_, inner) => {
            let lists = stack::level(|| lists(store, inner, cut, most))?;
            lists.map(|lists| lists.saturating_add(1))
        }
        Node::If(_, a, b) => {
            let a = stack::level(|| lists(store, a, cut, most))?;
            let b = stack::level(|| lists(store, b, cut, most))?;
            a.zip(b).map(|(a, b)| a.saturating_add(b))
        }
        Node::Join(parts) | Node::Chain(parts) => {
            let mut product = 1_u64;
            for &part in parts.iter() {
                match stack::level(|| lists(store, part, cut, most))? {
                    Some(lists) => product = product.saturating_mul(lists),
                    None => return Ok(None),
                }
            }
            Some(product)
        }
        _ => Some(1),
    }
    .filter(|&lists| lists <= most))
}

/// The same of joined dice, which are counted as equal dice that list all faces of any of them. `None` if there are
/// other parts, and the greatest integer if there are too many lists.
fn joined_lists(
    store: &Store<'_>,
    parts: &[NodeId],
    cut: Option<Cut>,
    most: u64,
) -> Attempt<Option<u64>> {
    let (mut faces, mut all) = (Vec::new(), 0);
    let mut product = Some(1_u64);
    for &part in parts {
        let (Node::Pool(pool) | Node::Draw(pool)) = *store.nodes.get(part) else {
            return Ok(None);
        };
        let known = store.pools.get(pool);
        let die = store.pools.die_of(known.die);
        let before = faces.len();
        store.has_room_for::<[i64; 2]>(before + die.faces.len())?;
        match cut {
            Some(cut) => faces.extend(cut.faces(die)),
            None => faces.extend(die.faces.iter().map(|&(face, _)| face)),
        }
        let (sides, dice) = ((faces.len() - before) as u64, u64::from(known.dice));
        let lists = binomial_at_most((sides + dice).saturating_sub(1), dice, most);
        product = product.zip(lists).and_then(|(a, b)| a.checked_mul(b));
        all += dice;
    }
    faces.sort_unstable();
    faces.dedup();
    let lists = binomial_at_most((faces.len() as u64 + all).saturating_sub(1), all, most);
    let least = product.unwrap_or(u64::MAX).min(lists.unwrap_or(u64::MAX));
    Ok(Some(least))
}

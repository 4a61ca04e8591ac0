//! Records: numbers and labels with names.
//!
//! A record by itself is the list of its parts. In a list each record is packed into one number, so that the members of the list
//! are the records: a part less its least value is a digit, and the first part is the digit that counts most. So packed records have
//! the order of records, and sums of records are sums of numbers. The ranges of the parts must be known before any roll.

use std::rc::Rc;

use super::lowering::Lowering;
use super::values::{Members, RecordPart, TypedTerm, ValueType};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arithmetic, Comparison, Digit, Expr, Folding, Packing, Part, Selection, Shape};
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;

type RecordParts = Rc<[RecordPart]>;

/// How records of these parts are packed. `None` if the range of a part is not known.
fn packing_of(parts: &[RecordPart]) -> Option<Packing> {
    let ranges = parts.iter().map(|part| part.range.clone());
    Packing::new(&ranges.collect::<Option<Vec<_>>>()?)
}

/// The parts of two records of the same names, with room for both. `None` if the names differ.
fn hull(a: &[RecordPart], b: &[RecordPart]) -> Option<RecordParts> {
    let is_same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name);
    is_same.then(|| {
        let both = a.iter().zip(b).map(|(a, b)| RecordPart {
            range: a.range.clone().zip(b.range.clone()).map(|(a, b)| {
                let ([a_low, a_high], [b_low, b_high]) = (a, b);
                [a_low.min(b_low), a_high.max(b_high)]
            }),
            ..a.clone()
        });
        both.collect()
    })
}

/// Known parts of a record as those of another one, by their names; 0 for those that it lacks.
fn by_name(known: &[Integer], from: &[RecordPart], to: &[RecordPart]) -> Vec<Integer> {
    let place = |part: &RecordPart| from.iter().position(|from| from.name == part.name);
    let parts = to
        .iter()
        .map(|part| place(part).map(|place| known[place].clone()));
    parts.map(Option::unwrap_or_default).collect()
}

/// The parts of two records that meet, in the order of their first appearance. A part that holds labels in one of them may hold both.
pub(super) fn met(own: &[RecordPart], other: &[RecordPart]) -> RecordParts {
    let named = |parts: &[RecordPart], name: &str| parts.iter().any(|part| *part.name == *name);
    let both = own.iter().map(|part| {
        let same = other.iter().find(|other| other.name == part.name);
        match same {
            Some(same) if same.members != part.members => RecordPart {
                members: Members::Either,
                ..part.clone()
            },
            _ => part.clone(),
        }
    });
    let more = other.iter().filter(|part| !named(own, &part.name)).cloned();
    both.chain(more).collect()
}

impl Lowering<'_, '_> {
    /// `{name: part, …}`
    pub(super) fn record(&mut self, id: NodeId, parts: &[(Span, NodeId)]) -> TypedTerm {
        let mut values = Vec::with_capacity(parts.len());
        for &(name, part) in parts {
            let name = self.tree.slice(name).to_owned();
            values.push((name, self.term(part), part));
        }
        self.record_of(id, values)
    }

    /// The record of some parts with their names.
    pub(super) fn record_of(
        &mut self,
        id: NodeId,
        parts: Vec<(String, TypedTerm, NodeId)>,
    ) -> TypedTerm {
        let mut exprs = Vec::with_capacity(parts.len());
        let mut known = Some(Vec::with_capacity(parts.len()));
        let mut of: Vec<RecordPart> = Vec::with_capacity(parts.len());
        for (name, value, part) in parts {
            if of.iter().any(|other| *other.name == *name) {
                let message = format!("two parts of the record are named `{}`", shortened(&name));
                let finding = Diagnostic::new(self.span(id), message)
                    .with_help("give one of them another name");
                return self.refuse(ErrorKind::Type, finding);
            }
            if value.parts().is_some() {
                let message = "a part of a record is a number or a label, and this is a record";
                let finding = Diagnostic::new(self.span(part), message)
                    .with_help("write its parts one by one, each with a name");
                return self.refuse(ErrorKind::Type, finding);
            }
            let code = value.known_member();
            let expr = self.only(&value, part);
            known = known.zip(code).map(|(mut known, code)| {
                known.push(code);
                known
            });
            let bounds = self.build.bounds(expr);
            of.push(RecordPart {
                name: name.into(),
                members: value.members,
                range: bounds.map(|bounds| [bounds.low, bounds.high]),
            });
            exprs.push(expr);
        }
        if self.failure.is_some() {
            return TypedTerm::list(self.build.empty());
        }
        let record = TypedTerm::record(self.build.join(&exprs), of.into()).with_known(known);
        record.with_length(None)
    }

    /// `name of records`
    pub(super) fn part(&mut self, id: NodeId, name: Span, records: NodeId) -> TypedTerm {
        let value = self.term(records);
        let name = self.tree.slice(name);
        if value.is_empty() || self.failure.is_some() {
            return value.of(Members::Numbers);
        }
        let Some(parts) = value.parts().cloned() else {
            return self.no_record(&format!("`{} of`", shortened(name)), records);
        };
        let Some(place) = parts.iter().position(|part| &*part.name == name) else {
            if self.number_parts.contains(name) {
                let zero = self.build.integer(0);
                return match value.kind {
                    ValueType::Record => self.shared(&value, |_, _| TypedTerm::number(zero)),
                    _ => self.each(&value, Members::Numbers, |_, _| zero),
                };
            }
            return self.no_part(name, &parts, self.span(id));
        };
        let members = parts[place].members.clone();
        if value.kind == ValueType::Record {
            let code = value.known.as_deref().map(|known| known[place].clone());
            let part = self.part_at(value.expr, place, id);
            return TypedTerm::number(part).of(members).with_number(code);
        }
        self.each(&value, members, |this, packed| {
            this.digit(packed, &parts, place, id)
        })
    }

    /// The place of a numeric part of a record: the part whose mean a choice maximises.
    pub(super) fn aim(&mut self, name: Span, value: &TypedTerm, id: NodeId) -> Option<usize> {
        let text = self.tree.slice(name);
        let Some(parts) = value.parts() else {
            self.no_record(&format!("`by {}`", shortened(text)), id);
            return None;
        };
        let Some(place) = parts.iter().position(|part| &*part.name == text) else {
            self.no_part(text, &Rc::clone(parts), name);
            return None;
        };
        if parts[place].members != Members::Numbers {
            let message = format!("`{}` may be a label, which has no mean", shortened(text));
            let finding = Diagnostic::new(name, message)
                .with_help("name a part that is always a number, or a condition");
            self.refuse(ErrorKind::Type, finding);
        }
        Some(place)
    }

    /// Refuses a value that is no record where `what` needs one.
    fn no_record(&mut self, what: &str, id: NodeId) -> TypedTerm {
        let finding = Diagnostic::new(self.span(id), format!("{what} needs a record"))
            .with_label("not a record")
            .with_help("a record names its parts, as in `{hits: count >=5 x, ones: count ==1 x}`");
        self.refuse(ErrorKind::Type, finding)
    }

    /// Refuses the name of a part that records do not have.
    fn no_part(&mut self, name: &str, parts: &[RecordPart], place: Span) -> TypedTerm {
        let names = parts.iter().map(|part| format!("`{}`", part.name));
        let names: Vec<_> = names.collect();
        let message = format!("the record has no part `{}`", shortened(name));
        let finding = Diagnostic::new(place, message)
            .with_help(format!("its parts are {}", names.join(", ")));
        self.refuse(ErrorKind::Unbound, finding)
    }

    /// A part of a list of parts.
    pub(super) fn part_at(&mut self, list: Expr, place: usize, id: NodeId) -> Expr {
        let site = self.site_at(id);
        let [one, before] = [1, place].map(|count| self.build.integer(Integer::from(count)));
        let rest = match place {
            0 => list,
            _ => self.build.select(Selection::DropFirst, before, list, site),
        };
        self.build.select(Selection::First, one, rest, site)
    }

    /// A part of a packed record.
    fn digit(&mut self, packed: Expr, parts: &[RecordPart], place: usize, id: NodeId) -> Expr {
        let packing = packing_of(parts);
        let digit = packing
            .as_ref()
            .and_then(|packing| packing.digits().get(place));
        let Some(Digit { low, count, step }) = digit.cloned() else {
            return packed;
        };
        let mut digit = packed;
        if step != Integer::ONE {
            digit = self.with_number(Arithmetic::FloorDivide, digit, step, id);
        }
        if place > 0 {
            digit = self.with_number(Arithmetic::Modulo, digit, count, id);
        }
        self.plus(digit, low, id)
    }

    pub(super) fn with_number(
        &mut self,
        operator: Arithmetic,
        a: Expr,
        b: Integer,
        id: NodeId,
    ) -> Expr {
        let site = self.site_at(id);
        let b = self.build.integer(b);
        self.build.arithmetic(operator, a, b, site)
    }

    pub(super) fn plus(&mut self, a: Expr, b: Integer, id: NodeId) -> Expr {
        if b.is_zero() {
            return a;
        }
        self.with_number(Arithmetic::Add, a, b, id)
    }

    /// The record as the list of its parts.
    pub(super) fn spread(&mut self, value: &TypedTerm, id: NodeId) -> TypedTerm {
        let Some(parts) = value
            .parts()
            .cloned()
            .filter(|_| value.kind != ValueType::Record)
        else {
            return value.clone();
        };
        let packed = TypedTerm::number(self.only(value, id));
        let record = self.shared(&packed, |this, packed| {
            let all: Vec<_> = (0..parts.len())
                .map(|place| this.digit(packed, &parts, place, id))
                .collect();
            TypedTerm::list(this.build.join(&all))
        });
        TypedTerm::record(record.expr, parts)
    }

    /// The sum of the parts of a record, each times a number.
    fn weighted(&mut self, value: &TypedTerm, steps: &[Integer], id: NodeId) -> Expr {
        let record = self.spread(value, id);
        let sum = self.shared(&record, |this, record| {
            let mut sum: Option<Expr> = None;
            for (place, step) in steps.iter().enumerate() {
                let mut part = this.part_at(record, place, id);
                if *step != Integer::ONE {
                    part = this.with_number(Arithmetic::Multiply, part, step.clone(), id);
                }
                let site = this.site_at(id);
                sum = Some(match sum {
                    None => part,
                    Some(sum) => this.build.arithmetic(Arithmetic::Add, sum, part, site),
                });
            }
            TypedTerm::number(sum.unwrap_or_else(|| this.build.integer(0)))
        });
        sum.expr
    }

    /// A value that is a member of a list: a record is packed into one number.
    pub(super) fn as_member(&mut self, value: &TypedTerm, id: NodeId) -> TypedTerm {
        match value.parts().cloned() {
            Some(parts) if value.kind == ValueType::Record => self.packed_as(value, &parts, id),
            _ => value.clone(),
        }
    }

    /// The records of a value, packed with room for other records. A part that they lack is 0.
    fn packed_as(&mut self, value: &TypedTerm, parts: &RecordParts, id: NodeId) -> TypedTerm {
        let Some(packing) = packing_of(parts) else {
            let part = parts.iter().find(|part| part.range.is_none());
            let name = part.map_or("", |part| &*part.name);
            let message = format!(
                "the part `{name}` of a record in a list needs bounds that are known before any roll"
            );
            let finding = Diagnostic::new(self.span(id), message).with_help(
                "limit it, for example by `min(…, 100)`, or name the record and use its parts by themselves",
            );
            return self.refuse(ErrorKind::Domain, finding);
        };
        let members = Members::Records(Rc::clone(parts));
        let from = value.parts().cloned().unwrap_or_else(|| Rc::clone(parts));
        // Each part has the digit of its name.
        let digit = |part: &RecordPart| parts.iter().position(|to| to.name == part.name);
        let step = |part| digit(part).map(|place| packing.digits()[place].step.clone());
        let steps: Vec<Integer> = from
            .iter()
            .map(|part| step(part).unwrap_or(Integer::ZERO))
            .collect();
        let offset = packing.offset().unwrap_or_default();
        match value.kind {
            ValueType::Record => {
                let known = value.known.as_deref();
                let known = known.and_then(|known| packing.pack(&by_name(known, &from, parts)));
                if let Some(known) = known {
                    return self.shared(value, |this, _| this.constant(&[known], &members));
                }
                let sum = self.weighted(value, &steps, id);
                TypedTerm::number(self.plus(sum, offset, id)).of(members)
            }
            _ if value.members == members || value.is_empty() => value.clone().of(members),
            _ => {
                let known = value.known.as_deref().zip(packing_of(&from));
                let known = known.and_then(|(known, packed)| {
                    let codes = known
                        .iter()
                        .map(|code| packing.pack(&by_name(&packed.unpack(code), &from, parts)));
                    codes.collect::<Option<Vec<_>>>()
                });
                if let Some(known) = known {
                    return self.shared(value, |this, _| this.constant(&known, &members));
                }
                self.each(value, members, |this, packed| {
                    let one = TypedTerm::number(packed).of(Members::Records(from));
                    let sum = this.weighted(&one, &steps, id);
                    this.plus(sum, offset, id)
                })
            }
        }
    }

    /// The records of a value with all of these parts, in their order. A part that they lack is 0, and so is each part of the number 0;
    /// a label cannot be left out.
    pub(super) fn with_parts(
        &mut self,
        value: &TypedTerm,
        like: &[RecordPart],
        id: NodeId,
    ) -> TypedTerm {
        let from: RecordParts = match value.parts() {
            Some(parts) => Rc::clone(parts),
            None if value.known_number() == Some(Integer::ZERO) => [].into(),
            None => return value.clone(),
        };
        if value.is_empty()
            || from
                .iter()
                .map(|part| &part.name)
                .eq(like.iter().map(|part| &part.name))
        {
            return value.clone();
        }
        let place = |name: &str| from.iter().position(|part| *part.name == *name);
        let zero = || Some([Integer::ZERO, Integer::ZERO]);
        let to: RecordParts = like
            .iter()
            .map(|part| match place(&part.name) {
                Some(place) => from[place].clone(),
                None => RecordPart {
                    range: zero(),
                    ..part.clone()
                },
            })
            .collect();
        let left_out = to
            .iter()
            .find(|part| place(&part.name).is_none() && part.members != Members::Numbers);
        if let Some(part) = left_out {
            let message = format!(
                "the part `{}` is a label elsewhere, and is left out here",
                part.name
            );
            let finding = Diagnostic::new(self.span(id), message)
                .with_help("give this record a label for it");
            return self.refuse(ErrorKind::Type, finding);
        }
        let known = match value.known.as_deref() {
            _ if from.is_empty() => Some(by_name(&[], &from, &to)),
            known => known
                .filter(|_| value.kind == ValueType::Record)
                .map(|known| by_name(known, &from, &to)),
        };
        if let Some(known) = known {
            return self.shared(value, |this, _| this.known_record(&known, &to));
        }
        if value.kind != ValueType::Record {
            return self.packed_as(value, &to, id);
        }
        let record = self.shared(value, |this, record| {
            let parts = to.iter().map(|part| match place(&part.name) {
                Some(place) => this.part_at(record, place, id),
                None => this.build.integer(0),
            });
            let parts: Vec<_> = parts.collect();
            TypedTerm::list(this.build.join(&parts))
        });
        TypedTerm::record(record.expr, to)
    }

    /// Records that can stand in one list, or one for the other.
    pub(super) fn alike_records(&mut self, values: &[(TypedTerm, NodeId)]) -> Vec<TypedTerm> {
        let parts = values.iter().filter_map(|(value, _)| value.parts());
        let like = parts.cloned().reduce(|all, parts| met(&all, &parts));
        let values = &match like {
            Some(like) => values
                .iter()
                .map(|(value, id)| (self.with_parts(value, &like, *id), *id))
                .collect(),
            None => values.to_vec(),
        }[..];
        let mut all: Option<RecordParts> = None;
        for (value, id) in values.iter().filter(|(value, _)| !value.is_empty()) {
            let parts = value.parts().and_then(|parts| match &all {
                None => Some(Rc::clone(parts)),
                Some(all) => hull(all, parts),
            });
            let Some(parts) = parts else {
                let message = "this is no record, and the others are";
                let finding = Diagnostic::new(self.span(*id), message)
                    .with_help("give it parts: a part that is left out is 0");
                self.refuse(ErrorKind::Type, finding);
                return values.iter().map(|(value, _)| value.clone()).collect();
            };
            all = Some(parts);
        }
        let Some(parts) = all else {
            return values.iter().map(|(value, _)| value.clone()).collect();
        };
        // A part that holds labels somewhere, and numbers elsewhere, holds both.
        let of = |place: usize| {
            let mut members = values.iter().filter_map(|(value, _)| value.parts());
            let first = &parts[place].members;
            members.all(|parts| parts[place].members == *first)
        };
        let are_single = values
            .iter()
            .all(|(value, _)| value.kind == ValueType::Record);
        if !(0..parts.len()).all(of) {
            let either = self.with_either_parts(values);
            if are_single || self.failure.is_some() {
                return either;
            }
            let either = either.into_iter().zip(values);
            return either
                .map(|(value, (_, id))| match value.parts().cloned() {
                    Some(parts) => self.packed_as(&value, &parts, *id),
                    None => value,
                })
                .collect();
        }
        let values = values.iter();
        if are_single {
            let like =
                |(value, _): &(TypedTerm, _)| value.clone().of(Members::Records(Rc::clone(&parts)));
            return values.map(like).collect();
        }
        values
            .map(|(value, id)| self.packed_as(value, &parts, *id))
            .collect()
    }

    /// Records of which some parts are numbers in one and labels in another.
    pub(super) fn with_either_parts(&mut self, values: &[(TypedTerm, NodeId)]) -> Vec<TypedTerm> {
        let mut changed = Vec::with_capacity(values.len());
        for (value, id) in values {
            let Some(parts) = value.parts().cloned() else {
                changed.push((value.clone(), *id));
                continue;
            };
            if value.kind == ValueType::List {
                let message = "a part is a label in one list of records, and a number in another";
                let finding = Diagnostic::new(self.span(*id), message)
                    .with_help("use labels in both, or numbers in both");
                self.refuse(ErrorKind::Type, finding);
                return changed.into_iter().map(|(value, _)| value).collect();
            }
            let record = self.spread(value, *id);
            let mut of = Vec::new();
            let either = self.shared(&record, |this, record| {
                let mut exprs = Vec::new();
                for (place, part) in parts.iter().enumerate() {
                    let expr = this.part_at(record, place, *id);
                    let value = TypedTerm::number(expr).of(part.members.clone());
                    let either = this.either_of(&value, *id);
                    let unit = this.labels.unit();
                    let range = part
                        .range
                        .clone()
                        .and_then(|[low, high]| match part.members {
                            Members::Numbers => Some([low.mul(&unit).ok()?, high.mul(&unit).ok()?]),
                            _ => Some([low, high]),
                        });
                    of.push(RecordPart {
                        name: Rc::clone(&part.name),
                        members: Members::Either,
                        range,
                    });
                    exprs.push(either.expr);
                }
                TypedTerm::list(this.build.join(&exprs))
            });
            changed.push((TypedTerm::record(either.expr, of.into()), *id));
        }
        self.alike_records(&changed)
    }

    /// `+`, `-` and `*` with a record.
    pub(super) fn arithmetic_of_records(
        &mut self,
        (id, operator): (NodeId, Arithmetic),
        (left, a): (&TypedTerm, NodeId),
        (right, b): (&TypedTerm, NodeId),
    ) -> TypedTerm {
        let zero = Some(Integer::ZERO);
        match operator {
            Arithmetic::Add if left.known_number() == zero => {
                return self.shared(left, |_, _| right.clone());
            }
            Arithmetic::Add | Arithmetic::Subtract if right.known_number() == zero => {
                return self.shared(left, |this, expr| {
                    this.shared(right, |_, _| left.renamed(expr))
                });
            }
            Arithmetic::Add | Arithmetic::Subtract
                if left.parts().is_some() && right.parts().is_some() =>
            {
                return self.combined(id, operator, (left, a), (right, b));
            }
            Arithmetic::Multiply if left.parts().is_none() => {
                return self.scaled(id, (right, b), (left, a));
            }
            Arithmetic::Multiply if right.parts().is_none() => {
                return self.scaled(id, (left, a), (right, b));
            }
            _ => {}
        }
        let message =
            "records are added to records, subtracted from them, and multiplied by numbers";
        let text = shortened(self.tree.words(if left.parts().is_some() { a } else { b }));
        let name = left
            .parts()
            .or(right.parts())
            .and_then(|parts| parts.first());
        let name = name.map_or("a", |part| &*part.name);
        let finding = Diagnostic::new(self.span(id), message)
            .with_help(format!("take a part of the record: `{name} of {text}`"));
        self.refuse(ErrorKind::Type, finding)
    }

    /// The sum or difference of two records, part by part.
    fn combined(
        &mut self,
        id: NodeId,
        operator: Arithmetic,
        (left, a): (&TypedTerm, NodeId),
        (right, b): (&TypedTerm, NodeId),
    ) -> TypedTerm {
        for (value, id) in [(left, a), (right, b)] {
            self.numeric_parts(value, id);
        }
        let pair = [(self.spread(left, a), a), (self.spread(right, b), b)];
        let [left, right] = &self.alike_records(&pair)[..] else {
            return TypedTerm::list(self.build.empty());
        };
        let (left, right) = (left.clone(), right.clone());
        if self.failure.is_some() {
            return TypedTerm::list(self.build.empty());
        }
        let site = self.site(id, a, b);
        let both = left.parts().cloned().zip(right.parts().cloned());
        let mut of = Vec::new();
        for (one, other) in both.iter().flat_map(|(a, b)| a.iter().zip(b.iter())) {
            let range = one.range.clone().zip(other.range.clone());
            let range = range.and_then(|([a, b], [c, d])| match operator {
                Arithmetic::Subtract => Some([a.sub(&d).ok()?, b.sub(&c).ok()?]),
                _ => Some([a.add(&c).ok()?, b.add(&d).ok()?]),
            });
            of.push(RecordPart {
                range,
                ..one.clone()
            });
        }
        let known = left.known.as_deref().zip(right.known.as_deref());
        let known = known.and_then(|(left, right)| {
            let parts = left.iter().zip(right);
            let parts = parts.map(|(a, b)| match operator {
                Arithmetic::Subtract => a.sub(b).ok(),
                _ => a.add(b).ok(),
            });
            parts.collect::<Option<Vec<_>>>()
        });
        if let Some(known) = known {
            return self.shared(&left, |this, _| {
                this.shared(&right, |this, _| this.known_record(&known, &of))
            });
        }
        let count = of.len();
        let sum = self.shared(&left, |this, left| {
            this.shared(&right, |this, right| {
                let mut exprs = Vec::with_capacity(count);
                for place in 0..count {
                    let [left, right] = [left, right].map(|list| this.part_at(list, place, id));
                    exprs.push(this.build.arithmetic(operator, left, right, site));
                }
                TypedTerm::list(this.build.join(&exprs))
            })
        });
        TypedTerm::record(sum.expr, of.into())
    }

    /// A record times a number.
    fn scaled(
        &mut self,
        id: NodeId,
        (record, a): (&TypedTerm, NodeId),
        (number, b): (&TypedTerm, NodeId),
    ) -> TypedTerm {
        self.numeric_parts(record, a);
        let site = self.site(id, a, b);
        let record = self.spread(record, a);
        let Some(parts) = record.parts().cloned() else {
            return TypedTerm::list(self.build.empty());
        };
        let by = number.known_number();
        let number = TypedTerm::number(self.number(number, b)).with_number(by.clone());
        let bounds = self.build.bounds(number.expr);
        let mut of = Vec::new();
        for part in parts.iter() {
            let ends = part
                .range
                .clone()
                .zip(bounds.clone())
                .and_then(|([low, high], by)| {
                    let ends = [
                        (&low, &by.low),
                        (&low, &by.high),
                        (&high, &by.low),
                        (&high, &by.high),
                    ];
                    let products = ends.map(|(a, b)| a.mul(b).ok());
                    let products: Vec<Integer> = products.into_iter().collect::<Option<_>>()?;
                    Some([
                        products.iter().min()?.clone(),
                        products.iter().max()?.clone(),
                    ])
                });
            of.push(RecordPart {
                range: ends,
                ..part.clone()
            });
        }
        let known = record.known.as_deref().zip(by);
        let known = known.and_then(|(parts, by)| {
            let parts = parts.iter().map(|part| part.mul(&by).ok());
            parts.collect::<Option<Vec<_>>>()
        });
        if let Some(known) = known {
            return self.shared(&record, |this, _| {
                this.shared(&number, |this, _| this.known_record(&known, &of))
            });
        }
        let product = self.shared(&record, |this, record| {
            this.shared(&number, |this, number| {
                let mut exprs = Vec::with_capacity(parts.len());
                for place in 0..parts.len() {
                    let part = this.part_at(record, place, id);
                    exprs.push(
                        this.build
                            .arithmetic(Arithmetic::Multiply, part, number, site),
                    );
                }
                TypedTerm::list(this.build.join(&exprs))
            })
        });
        TypedTerm::record(product.expr, of.into())
    }

    /// A record of numbers that are known before any roll.
    fn known_record(&mut self, known: &[Integer], parts: &[RecordPart]) -> TypedTerm {
        let parts = parts.iter().zip(known).map(|(part, number)| RecordPart {
            range: Some([number.clone(), number.clone()]),
            ..part.clone()
        });
        let parts = parts.collect();
        let exprs: Vec<_> = known
            .iter()
            .map(|number| self.build.integer(number.clone()))
            .collect();
        let record = TypedTerm::record(self.build.join(&exprs), parts).with_known(known.to_vec());
        record.with_length(None)
    }

    /// Refuses records with labels where their parts are added.
    fn numeric_parts(&mut self, value: &TypedTerm, id: NodeId) {
        let label = value.parts().and_then(|parts| {
            let mut parts = parts.iter();
            parts.find(|part| part.members != Members::Numbers)
        });
        if let Some(part) = label {
            let message = format!(
                "the part `{}` of this record has labels, which cannot be added",
                part.name
            );
            let finding = Diagnostic::new(self.span(id), message)
                .with_help("leave it out, or count its labels");
            self.refuse(ErrorKind::Type, finding);
        }
    }

    /// The sum of a list of records, part by part.
    pub(super) fn sum_of_records(
        &mut self,
        id: NodeId,
        list: &TypedTerm,
        place: NodeId,
    ) -> TypedTerm {
        self.numeric_parts(list, place);
        let Some(parts) = list.parts().cloned() else {
            return list.clone();
        };
        if self.failure.is_some() || list.kind == ValueType::Record {
            return list.clone();
        }
        let most = self.build.bounds(list.expr).and_then(|bounds| bounds.most);
        let Some(most) = most else {
            let message = "how many records are added at most must be known before any roll";
            let finding = Diagnostic::new(self.span(place), message)
                .with_help("add up in a loop: `repeat s = 0 for x in … do s + x`");
            return self.refuse(ErrorKind::Domain, finding);
        };
        let mut of = Vec::new();
        for part in parts.iter() {
            let range = part.range.clone().and_then(|[low, high]| {
                let low = low.min(Integer::ZERO).mul(&most).ok()?;
                let high = high.max(Integer::ZERO).mul(&most).ok()?;
                Some([low, high])
            });
            of.push(RecordPart {
                range,
                ..part.clone()
            });
        }
        let of: RecordParts = of.into();
        let Some(packing) = packing_of(&of) else {
            let message = "the sum of these records is too large";
            let finding = Diagnostic::new(self.span(id), message);
            return self.refuse(ErrorKind::Overflow, finding);
        };
        let steps: Vec<Integer> = packing
            .digits()
            .iter()
            .map(|digit| digit.step.clone())
            .collect();
        let offset = packing.offset().unwrap_or_default();
        let site = self.site(id, place, place);
        let packed = self.each(list, Members::Numbers, |this, packed| {
            let one = TypedTerm::number(packed).of(Members::Records(parts));
            this.weighted(&one, &steps, id)
        });
        let sum = self.build.fold(Folding::Sum, packed.expr, site);
        TypedTerm::number(self.plus(sum, offset, id)).of(Members::Records(of))
    }

    /// The condition that two records are equal, or that they are not.
    pub(super) fn compare_records(
        &mut self,
        comparison: Comparison,
        (left, a): (&TypedTerm, NodeId),
        (right, b): (&TypedTerm, NodeId),
        id: NodeId,
    ) -> TypedTerm {
        let pair = [(self.spread(left, a), a), (self.spread(right, b), b)];
        let [left, right] = &self.alike_records(&pair)[..] else {
            return TypedTerm::list(self.build.empty());
        };
        let (left, right) = (left.clone(), right.clone());
        if self.failure.is_some() {
            return TypedTerm::list(self.build.empty());
        }
        let count = left.parts().map_or(0, |parts| parts.len());
        let site = self.site(id, a, b);
        let test = self.shared(&left, |this, left| {
            this.shared(&right, |this, right| {
                let (one, none) = (this.build.integer(1), this.build.empty());
                let [mut test, different] = match comparison {
                    Comparison::NotEqual => [none, one],
                    _ => [one, none],
                };
                for place in (0..count).rev() {
                    let [left, right] = [left, right].map(|list| this.part_at(list, place, id));
                    let same = this.build.filter(Comparison::Equal, right, left, site);
                    test = this.build.choose(same, test, different);
                }
                TypedTerm::list(test)
            })
        });
        self.condition(test.expr, None)
    }

    /// How records are read from the value of a rule.
    pub(super) fn shape_of_records(&self, parts: &RecordParts, kind: ValueType) -> Shape {
        let of = parts.iter().map(|part| Part {
            name: (*part.name).into(),
            has_labels: part.members != Members::Numbers,
        });
        let (of, labels) = (of.collect(), self.labels.clone());
        match kind {
            ValueType::Record => Shape::Record { parts: of, labels },
            _ => Shape::Records {
                parts: of,
                labels,
                packing: packing_of(parts).expect("records in lists have ranges"),
                is_single: kind == ValueType::Number,
            },
        }
    }
}

//! Core terms as this notation needs them: sums and counts, and what is plain to see done at once.

use crate::ir::{Arithmetic, Arrangement, Builder, Expr, Folding, Name, SiteId};
use crate::number::Integer;

/// More terms than the builder has.
pub(super) trait Terms {
    /// Whether a term is the constant 1.
    fn is_one(&self, term: Expr) -> bool;

    /// The product of two numbers; of constants a constant.
    fn product(&mut self, left: Expr, right: Expr, site: SiteId) -> Expr;

    /// The opposite of a number; of a constant a constant.
    fn opposite(&mut self, number: Expr, site: SiteId) -> Expr;

    /// What is left of `left` after whole multiples of `right`, which has the sign of `right`.
    fn modulo(&mut self, left: Expr, right: Expr, site: SiteId) -> Expr;

    fn count(&mut self, list: Expr, site: SiteId) -> Expr;

    fn sum(&mut self, list: Expr, site: SiteId) -> Expr;

    fn ascending(&mut self, list: Expr) -> Expr;

    fn descending(&mut self, list: Expr) -> Expr;

    /// A term so many times; once is the term itself.
    fn times(&mut self, count: Expr, body: Expr, site: SiteId) -> Expr;

    /// The body for each member; where it is the member, the list itself.
    fn each(&mut self, name: Name, list: Expr, body: Expr) -> Expr;
}

impl Terms for Builder {
    fn is_one(&self, term: Expr) -> bool {
        self.constant(term).and_then(Integer::to_i64) == Some(1)
    }

    fn product(&mut self, left: Expr, right: Expr, site: SiteId) -> Expr {
        if let (Some(a), Some(b)) = (self.constant(left), self.constant(right))
            && let Ok(product) = a.mul(b)
        {
            return self.integer(product);
        }
        self.arithmetic(Arithmetic::Multiply, left, right, site)
    }

    fn opposite(&mut self, number: Expr, site: SiteId) -> Expr {
        match self.constant(number).map(Integer::neg) {
            Some(Ok(opposite)) => self.integer(opposite),
            _ => self.negate(number, site),
        }
    }

    fn modulo(&mut self, left: Expr, right: Expr, site: SiteId) -> Expr {
        let rest = self.arithmetic(Arithmetic::Remainder, left, right, site);
        let above = self.arithmetic(Arithmetic::Add, rest, right, site);
        self.arithmetic(Arithmetic::Remainder, above, right, site)
    }

    fn count(&mut self, list: Expr, site: SiteId) -> Expr {
        self.fold(Folding::Count, list, site)
    }

    fn sum(&mut self, list: Expr, site: SiteId) -> Expr {
        self.fold(Folding::Sum, list, site)
    }

    fn ascending(&mut self, list: Expr) -> Expr {
        self.arrange(Arrangement::Sort, list)
    }

    fn descending(&mut self, list: Expr) -> Expr {
        let ascending = self.ascending(list);
        self.arrange(Arrangement::Reverse, ascending)
    }

    fn times(&mut self, count: Expr, body: Expr, site: SiteId) -> Expr {
        if self.is_one(count) {
            return body;
        }
        self.repeat(count, body, site)
    }

    fn each(&mut self, name: Name, list: Expr, body: Expr) -> Expr {
        if self.variable_of(body) == Some(name) {
            return list;
        }
        self.foreach(name, list, body)
    }
}

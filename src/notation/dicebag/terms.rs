//! More constructors of core terms, which simplify simple cases at once.

use crate::ir::{Arithmetic, Arrangement, Builder, Expr, Folding, Name, SiteId};
use crate::number::Integer;

/// Constructors that the builder does not have.
pub(super) trait Terms {
    /// Whether a term is the constant 1.
    fn is_one(&self, term: Expr) -> bool;

    /// The product of two numbers; a constant for two constants.
    fn product(&mut self, left: Expr, right: Expr, site: SiteId) -> Expr;

    /// The opposite of a number; a constant for a constant.
    fn opposite(&mut self, number: Expr, site: SiteId) -> Expr;

    fn count(&mut self, list: Expr, site: SiteId) -> Expr;

    fn sum(&mut self, list: Expr, site: SiteId) -> Expr;

    fn ascending(&mut self, list: Expr) -> Expr;

    fn descending(&mut self, list: Expr) -> Expr;

    /// `count` evaluations of a term; the term itself for the count 1.
    fn times(&mut self, count: Expr, body: Expr, site: SiteId) -> Expr;

    /// The body for each member; the list itself if the body is the member.
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

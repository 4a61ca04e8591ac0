//! What is drawn from a list without replacement. Where nothing looks at the order: the parts of the list as multisets, each as often
//! as binomials say.

use super::run::{Halt, Machine, Run, Table};
use super::tables::MOST_VALUES;
use super::words::Word;
use crate::algebra::{Weight, binomial};
use crate::engine::program::Order;
use crate::map::ValueMap;

impl Machine<'_> {
    /// The parts of a list with as many members as the first argument says; the whole list if it is shorter.
    pub(super) fn drawn(&mut self, order: Order, arguments: &[Word]) -> Run<Table> {
        let [count, list] = arguments else {
            return Err(Halt::Refused);
        };
        let count = count
            .as_number()
            .and_then(|count| usize::try_from(count).ok());
        let mut members = self.lists.members(list).to_vec();
        members.sort_unstable();
        let count = count.ok_or(Halt::Refused)?.min(members.len());
        if order == Order::Kept {
            return self.dealt(&members, count);
        }
        let mut rest = members.len();
        let mut parts: Vec<(Vec<i64>, Weight)> = vec![(Vec::new(), Weight::from(1_u32))];
        for group in members.chunk_by(|a, b| a == b) {
            rest -= group.len();
            let mut longer = Vec::new();
            for (part, weight) in &parts {
                let wanted = count - part.len();
                for taken in wanted.saturating_sub(rest)..=wanted.min(group.len()) {
                    let ways = binomial(group.len() as u64, taken as u64, self.budget)?;
                    longer.push(([part, &group[..taken]].concat(), weight * ways));
                }
                if longer.len() > MOST_VALUES {
                    return Err(Halt::Refused);
                }
            }
            parts = longer;
        }
        let total = binomial(members.len() as u64, count as u64, self.budget)?;
        self.table_of_parts(parts, total)
    }

    /// So many members of an ascending list, one after the other.
    fn dealt(&mut self, members: &[i64], count: usize) -> Run<Table> {
        let mut parts: Vec<(Vec<i64>, Weight)> = vec![(Vec::new(), Weight::from(1_u32))];
        let mut total = Weight::from(1_u32);
        for taken in 0..count {
            let mut longer = Vec::new();
            for (part, weight) in &parts {
                self.budget.work(members.len() as u64)?;
                for group in members.chunk_by(|a, b| a == b) {
                    let gone = part.iter().filter(|member| **member == group[0]).count();
                    if gone < group.len() {
                        let weight = weight * (group.len() - gone);
                        longer.push(([part, &group[..1]].concat(), weight));
                    }
                }
                if longer.len() > MOST_VALUES {
                    return Err(Halt::Refused);
                }
            }
            parts = longer;
            total *= members.len() - taken;
        }
        self.table_of_parts(parts, total)
    }

    fn table_of_parts(&mut self, parts: Vec<(Vec<i64>, Weight)>, total: Weight) -> Run<Table> {
        let mut values = ValueMap::default();
        for (part, weight) in parts {
            let part = self.lists.word(&part).ok_or(Halt::Refused)?;
            values.insert(part, weight);
        }
        Ok(Table::of(values, total))
    }
}

//! What is drawn from a list without replacement, where nothing looks at the order: the parts of the list as multisets, each as often
//! as binomials say.

use super::run::{Halt, Machine, Run, Table};
use super::tables::MOST_VALUES;
use super::words::Word;
use crate::algebra::{Weight, binomial};
use crate::map::ValueMap;

impl Machine<'_> {
    /// The parts of a list with as many members as the first argument says; the whole list if it is shorter.
    pub(super) fn drawn(&mut self, arguments: &[Word]) -> Run<Table> {
        let [count, list] = arguments else {
            return Err(Halt::Refused);
        };
        let count = count
            .as_number()
            .and_then(|count| usize::try_from(count).ok());
        let mut members = self.lists.members(list).to_vec();
        members.sort_unstable();
        let count = count.ok_or(Halt::Refused)?.min(members.len());
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
        let mut values = ValueMap::default();
        for (part, weight) in parts {
            let part = self.lists.word(&part).ok_or(Halt::Refused)?;
            values.insert(part, weight);
        }
        Ok(Table::of(values, total))
    }
}

//! What the editor shows while somebody types: the rules, their free names, and what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use dicedist::number::Integer;
use dicedist::source::{Source, Span};
use serde::Serialize;

use crate::finding::{Finding, Stand};
use crate::places::Places;
use crate::question::Question;
use crate::rules::{self, Found};

/// A text as read.
#[derive(Debug, Serialize)]
pub(crate) struct Read {
    /// The notation that was recognised, or that came furthest, other than Bones.
    dialect: Option<String>,
    rules: Vec<RuleOfText>,
    /// The free names of all rules.
    names: Vec<String>,
    findings: Vec<Finding>,
}

/// A rule with its place.
#[derive(Debug, Serialize)]
struct RuleOfText {
    name: String,
    dialect: String,
    from: usize,
    to: usize,
}

/// Reads the text of a question. Nothing is solved, and no program is run.
pub(crate) fn read(question: &Question) -> Read {
    let places = Places::of(&question.text);
    let source = Source::new("rule", question.text.as_str());
    let found = rules::read(&source, question.dialect(), question.names());
    let mut read = Read {
        dialect: found.guessed.iter().next().map(ToString::to_string),
        rules: Vec::new(),
        names: Vec::new(),
        findings: Vec::new(),
    };
    let mut names = BTreeSet::new();
    let stand = |rule: Option<Span>| Stand {
        places: &places,
        rule,
        is_in_text: true,
    };
    for found in found.found {
        match found {
            Found::Wrong { span, error, .. } => {
                read.findings.extend(Finding::of_error(&error, stand(span)));
            }
            Found::Rule { rule, parsed } => {
                let [from, to] = places.span(rule.span);
                let free = parsed.free_names();
                read.rules.push(RuleOfText {
                    name: rule.name.clone(),
                    dialect: rule.dialect.to_string(),
                    from,
                    to,
                });
                if !rule.dialect.runs_programs() {
                    // Any value does: warnings are about the text.
                    let any = free.iter().map(|name| (name.clone(), Integer::ONE));
                    let values: BTreeMap<_, _> = any.collect();
                    let lowered = parsed.lower(&question.settings().with_parameters(values));
                    let warnings = lowered.into_iter().flatten().flat_map(|it| it.warnings);
                    let of_text =
                        warnings.map(|it| Finding::of_warning(&it, stand(Some(rule.span))));
                    for finding in of_text {
                        if !read.findings.contains(&finding) {
                            read.findings.push(finding);
                        }
                    }
                }
                names.extend(free);
            }
        }
    }
    read.names = names.into_iter().collect();
    read
}

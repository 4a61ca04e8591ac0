//! Residual programs, face by face: what a transition costs, weights and all. Criterion reports the time per rule
//! and, as throughput, how many transitions of the graph that is chosen are taken a second.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dicedist::limits::Unobserved;
use dicedist::{Limits, engine};

/// A rule in the language Bones, and how many transitions its graph has.
type Case = (&'static str, &'static str, u64);

const CASES: &[Case] = &[
    (
        "largest set of 20#d20",
        "let x=20#d20 in high 1 (foreach y in 1..20 do count (==y x))",
        4_161,
    ),
    (
        "largest set of 100#d20",
        "let x=100#d20 in high 1 (foreach y in 1..20 do count (==y x))",
        92_801,
    ),
    (
        "largest sum of equal dice of 20#d10",
        "let x=20#d10 in high 1 (foreach y in 1..10 do sum (==y x))",
        1_861,
    ),
    (
        "distinct faces of 20#d20",
        "let x=20#d20 in count (foreach y in 1..20 do first 1 ==y x)",
        4_161,
    ),
    (
        "sum of squares of multiplicities of 60#d20",
        "let x=60#d20 in sum (foreach y in 1..20 do (count ==y x)*(count ==y x))",
        34_081,
    ),
    (
        "longest straight of 10#d10",
        "let x=10#d10 in high 1 (foreach i in 1..10 do foreach j in i..10 do \
         if ==(j-i+1) count (foreach k in i..j do first 1 ==k x) then j-i+1 else 0)",
        1_707,
    ),
    (
        "all ranks of 10#d6 against 10#d6",
        "let a=10#d6 in let b=10#d6 in \
         count (foreach i in 1..10 do (<(high 1 low i a) (high 1 low i b)))",
        5_131,
    ),
];

fn steps(criterion: &mut Criterion) {
    let limits = Limits::default().with_time(None);
    let mut group = criterion.benchmark_group("steps");
    group.sample_size(20);
    for &(name, rule, transitions) in CASES {
        let program = dicedist::Rule::bones(rule)
            .and_then(dicedist::Rule::into_program)
            .expect("a rule that can be read")
            .sorted();
        group.throughput(Throughput::Elements(transitions));
        group.bench_function(name, |bencher| {
            bencher.iter(|| engine::analyze(black_box(&program), &limits, &Unobserved).is_ok());
        });
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);

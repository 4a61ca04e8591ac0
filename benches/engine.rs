//! The engine as a whole: a member of each family of rules whose cost must stay polynomial, with many dice.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use dicedist::engine;
use dicedist::limits::{Limits, Unobserved};

/// A family, and a member of it.
const FAMILIES: &[(&str, &str)] = &[
    ("1 selections", "sum(high 5 (drop low 3 (50#d6,50#d8)))"),
    (
        "2 counts of one pool",
        "let x=50#d10 in (count >7 x)*(count ==1 x)",
    ),
    (
        "3 patterns",
        "let x=50#d10 in high 1 (foreach y in 1..10 do 100*(count ==y x)+y)",
    ),
    (
        "4 pools against pools",
        "let a=10#d6 in let b=10#d6 in count(foreach r in 1..3 do <(high 1 low r a) (high 1 low r b))",
    ),
    (
        "5 rolled thresholds",
        "let x=30#d10 in count >((count ==1 x)+(low 1 x)) x",
    ),
    ("6 chains", "count >4 ((count >3 (count >2 50#d6)#d6)#d6)"),
    (
        "7 random maps",
        "let x=50#d6 in (sum x)+(sum (foreach y in x do if <=2 y then d6 else y))",
    ),
    (
        "8 deals",
        "let s=perm (1..20) in (sum first 3 s)-(sum last 2 s)",
    ),
    ("9 lists", "let x=20#d10 in (count >=8 x),(count ==1 x)"),
];

fn engine(criterion: &mut Criterion) {
    let limits = Limits::default().with_time(None);
    let mut group = criterion.benchmark_group("engine");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(2));
    for (family, rule) in FAMILIES {
        let Ok(program) = dicedist::Rule::bones(rule).and_then(dicedist::Rule::into_program) else {
            continue;
        };
        let program = program.sorted();
        group.bench_function(format!("{family}: {rule}"), |bencher| {
            bencher.iter(|| engine::analyze(black_box(&program), &limits, &Unobserved).is_ok());
        });
    }
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);

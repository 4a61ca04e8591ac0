//! The algebra on its own: what the rules cost that people ask for most.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dicedist::algebra::{Joint, Numbers, Pool, Stop, Weights};
use dicedist::limits::{Budget, Limits, Unobserved};

/// A name as in the language Bones, and how the algebra computes it.
type Case = (&'static str, fn(&Budget<'_>) -> Result<Numbers, Stop>);

const CASES: &[Case] = &[
    ("sum(100#d6)", |budget| Numbers::die(6).power(100, budget)),
    ("sum(1000#d6)", |budget| Numbers::die(6).power(1000, budget)),
    ("sum(10#d4,10#d6,10#d8,10#d10,10#d12,10#d20)", |budget| {
        Pool::new([4, 6, 8, 10, 12, 20].map(|sides| (Numbers::die(sides), 10))).sum(budget)
    }),
    ("sum(500#d6,500#d8)", |budget| {
        Pool::new([6, 8].map(|sides| (Numbers::die(sides), 500))).sum(budget)
    }),
    ("count >7 1000#d10", |budget| {
        Numbers::from_weights(0, Weights::from_u64s(vec![7, 3]), 10_u32.into()).power(1000, budget)
    }),
    ("let c=50#d10 in (count >7 c)-(count ==1 c)", |budget| {
        let faces = [(vec![1, 0], 3_u32), (vec![0, 1], 1), (vec![0, 0], 6)];
        let faces = faces.map(|(vector, weight)| (vector, weight.into()));
        Joint::new(2, faces, 10_u32.into())?
            .power(50, budget)?
            .map(|counts| Ok(Some((counts[0] - counts[1]).into())), budget)
    }),
    ("prod(20#d6)", |budget| {
        Numbers::die(6).product_power(20, budget)
    }),
    ("sum(high 5 20#d10)", |budget| {
        Pool::new([(Numbers::die(10), 20)]).highest(5, budget)
    }),
    ("sum(high 50 100#d20)", |budget| {
        Pool::new([(Numbers::die(20), 100)]).highest(50, budget)
    }),
    ("sum(high 50 (50#d10,50#d6))", |budget| {
        Pool::new([10, 6].map(|sides| (Numbers::die(sides), 50))).highest(50, budget)
    }),
    ("sum(drop low 5 (drop high 5 20#d10))", |budget| {
        Pool::new([(Numbers::die(10), 20)]).sum_of_ranks(5..15, budget)
    }),
    ("high 1 low 51 101#d20", |budget| {
        Pool::new([(Numbers::die(20), 101)]).rank(50, budget)
    }),
    (
        "sum(drop low 2 (drop high 2 (3#d6,3#d8,3#d10,3#d12)))",
        |budget| {
            Pool::new([6, 8, 10, 12].map(|sides| (Numbers::die(sides), 3)))
                .sum_of_ranks(2..10, budget)
        },
    ),
    ("sum(high 6 12#sum(drop low 1 4#d6))", |budget| {
        let score = Pool::new([(Numbers::die(6), 4)]).highest(3, budget)?;
        Pool::new([(score, 12)]).highest(6, budget)
    }),
    (
        "sum((count <5 (count >3 (count >2 40#d6)#d6)#d6)#d3)",
        |budget| {
            let hits = |weight: u64| {
                Numbers::from_weights(
                    0,
                    Weights::from_u64s(vec![6 - weight, weight]),
                    6_u32.into(),
                )
            };
            let first = hits(4).power(40, budget)?;
            let second = Numbers::random_sum(&first, &hits(3), budget)?;
            let third = Numbers::random_sum(&second, &hits(4), budget)?;
            Numbers::random_sum(&third, &Numbers::die(3), budget)
        },
    ),
];

/// Those that take long enough for a few samples.
const LONG_CASES: &[Case] = &[
    ("sum(10000#d6)", |budget| {
        Numbers::die(6).power(10_000, budget)
    }),
    ("sum(high 500 1000#d20)", |budget| {
        Pool::new([(Numbers::die(20), 1000)]).highest(500, budget)
    }),
];

fn algebra(criterion: &mut Criterion) {
    let limits = Limits::default().with_time(None);
    let mut group = criterion.benchmark_group("algebra");
    for (cases, samples) in [(CASES, 100), (LONG_CASES, 10)] {
        group.sample_size(samples);
        for (name, run) in cases {
            group.bench_function(*name, |bencher| {
                // A budget counts what it has seen: each run has its own.
                bencher.iter(|| run(black_box(&Budget::start(&limits, &Unobserved))).is_ok());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, algebra);
criterion_main!(benches);

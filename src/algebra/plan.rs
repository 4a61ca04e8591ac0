//! The best plan of a player in a network of states, some of which are choices.
//!
//! Each step adds a number, and a plan is worth the mean of the sum. The states are taken by components, those that are reached last
//! first. A component of one state has its value at once. Within a larger one the plan is improved: floating-point numbers suggest a
//! plan, its means are found exactly ([`super::elimination`]), and what is better by these exact means is changed, until nothing is
//! (R. Howard, *Dynamic programming and Markov processes*, 1960). So the plan is proven, and no mean is rounded.
//!
//! A play that never ends is worse than each that ends. So a plan begins as one that surely ends, and each change keeps that: an
//! endless plan that were better would add something in each round, and then no plan is the best one (D. Bertsekas and J. Tsitsiklis,
//! *An analysis of stochastic shortest path problems*, 1991).

mod game;
mod search;
mod suggestion;

pub use game::{Game, Plan, Played};

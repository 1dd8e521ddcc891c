//! What is wanted of a term, and the way from there to one of its arguments.
//!
//! Of a Boolean or bit-vector a value is wanted. An argument is taken for which there is a value, all others
//! staying as they are, under which the operator has the wanted result (an *inverse* value, and the argument
//! is *essential* if there is one for no other). Where no argument has one, or once in a while, some argument
//! takes a value that is right for some values of the others (a *consistent* value).
//!
//! Of an array or function one element is wanted, at the index or arguments that a read has now.

use crate::draw::{any, draw};
use crate::network::{Network, bits};
use bivalve_domains::Domain;
use bivalve_terms::{BitVec, FunctionValue, Op, Value};
use fastrand::Rng;

/// Once in so many moves down, consistent values are drawn though there are inverse ones.
const INVERSE: u8 = 100;

/// Values drawn for an argument before it has none.
const TRIES: usize = 3;

/// Arguments that are tried before none is said to have an inverse value, each of which costs a look at all.
const PLACES: usize = 32;

/// What is wanted of a term.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// This value.
    Value(Value),
    /// An array or function that has this result for these arguments.
    Element(Vec<Value>, Value),
}

impl Target {
    /// A conjunct that is true.
    pub(crate) fn truth() -> Target {
        Target::Value(Value::Bool(true))
    }

    /// The value of a symbol for which this is wanted, now that it is `current`.
    pub(crate) fn value_of(self, current: &Value) -> Option<Value> {
        match (self, current) {
            (Target::Value(value), _) => Some(value),
            (Target::Element(args, result), Value::Array(array)) => {
                Some(array.store(&args[0], &result).into())
            }
            (Target::Element(args, result), Value::Function(function)) => {
                let mut function = FunctionValue::clone(function);
                function.define(args, result);
                Some(function.into())
            }
            (Target::Element(..), _) => None,
        }
    }
}

/// An argument of a node, and what is wanted of it so that the node is what is wanted.
pub(crate) fn descend(
    network: &Network<'_>,
    node: usize,
    target: &Target,
    random: &mut Rng,
) -> Option<(usize, Target)> {
    let args = network.args(node);
    match (network.op(node), target) {
        (Op::Select | Op::Apply, Target::Value(value)) => {
            let at = args[1..].iter().map(|&arg| network.value(arg).clone()).collect();
            Some((args[0], Target::Element(at, value.clone())))
        }
        (Op::ConstArray, Target::Element(_, value)) => Some((args[0], Target::Value(value.clone()))),
        (Op::Store, Target::Element(at, value)) => {
            if *network.value(args[1]) == at[0] {
                Some((args[2], Target::Value(value.clone())))
            } else {
                Some((args[0], target.clone()))
            }
        }
        (Op::Ite, Target::Element(..)) => {
            let taken = if network.value(args[0]).expect_bool() { args[1] } else { args[2] };
            Some((taken, target.clone()))
        }
        (_, Target::Value(value @ (Value::Bool(_) | Value::BitVec(_)))) => {
            let (arg, bits) = argument(network, node, &bits(value), random)?;
            Some((arg, Target::Value(network.value_from(arg, bits))))
        }
        _ => None,
    }
}

/// An argument of an operator over Booleans and bit-vectors, and a value for it.
fn argument(
    network: &Network<'_>,
    node: usize,
    wanted: &BitVec,
    random: &mut Rng,
) -> Option<(usize, BitVec)> {
    let args = network.args(node);
    let mut open: Vec<usize> = (0..args.len())
        .filter(|&place| !network.is_fixed(args[place]) && network.domain(args[place]).is_some())
        .collect();
    let result = Domain::one(wanted.clone());
    if random.u8(..INVERSE) != 0 {
        // The first one in a random order is one at random of those that have an inverse value.
        random.shuffle(&mut open);
        for &place in open.iter().take(PLACES) {
            if let Some(value) = inverse(network, node, &result, place, random) {
                return Some((args[place], value));
            }
        }
    }
    let &place = random.choice(&open)?;
    let all: Option<Vec<&Domain>> = args.iter().map(|&arg| network.domain(arg)).collect();
    let consistent = all.and_then(|all| possible(network, node, &result, &all, place));
    let own = network.domain(args[place])?;
    let consistent = consistent.and_then(|domain| domain.meet(own)).unwrap_or_else(|| own.clone());
    Some((args[place], draw(&consistent, &bits(network.value(args[place])), random)))
}

/// A value for the argument at `place` under which the result is the wanted one, all others staying as they
/// are.
fn inverse(
    network: &Network<'_>,
    node: usize,
    result: &Domain,
    place: usize,
    random: &mut Rng,
) -> Option<BitVec> {
    let args = network.args(node);
    let arg = args[place];
    let own = network.domain(arg)?;
    let mut others = Vec::with_capacity(args.len());
    for &other in args {
        others.push(if other == arg { own.clone() } else { Domain::one(bits_of(network, other)?) });
    }
    let others: Vec<&Domain> = others.iter().collect();
    let possible = possible(network, node, result, &others, place)?;
    let (wanted, current) = (network.value_from(node, result.value()?.clone()), bits(network.value(arg)));
    (0..TRIES).find_map(|attempt| {
        let special =
            if attempt == 0 { remainder(network, node, result.value()?, place, random) } else { None };
        let value = special.unwrap_or_else(|| draw(&possible, &current, random));
        let does = network.evaluated_with(node, arg, &network.value_from(arg, value.clone())) == wanted;
        does.then_some(value)
    })
}

/// What the argument at `place` can be where the result is `result` and the arguments are in these domains.
fn possible(
    network: &Network<'_>,
    node: usize,
    result: &Domain,
    args: &[&Domain],
    place: usize,
) -> Option<Domain> {
    let refined = Domain::arguments(network.op(node), network.index(node), result, args)?;
    refined.into_iter().nth(place)
}

fn bits_of(network: &Network<'_>, node: usize) -> Option<BitVec> {
    network.domain(node).map(|_| bits(network.value(node)))
}

/// Dividends and divisors with a given remainder, which domains cannot say: multiples of the divisor away
/// from it, and divisors of what is left of the dividend.
fn remainder(
    network: &Network<'_>,
    node: usize,
    wanted: &BitVec,
    place: usize,
    random: &mut Rng,
) -> Option<BitVec> {
    if network.op(node) != Op::BvUrem {
        return None;
    }
    let other = bits_of(network, network.args(node)[1 - place])?;
    if place == 0 {
        let most = wanted.not().udiv(&other);
        let factor = any(wanted.width(), random);
        let factor =
            if most.is_ones() { factor } else { factor.urem(&most.add(&BitVec::one(wanted.width()))) };
        Some(wanted.add(&factor.mul(&other)))
    } else {
        let factor = BitVec::from_u64(random.u64(1..5), wanted.width());
        Some(other.sub(wanted).udiv(&factor))
    }
}

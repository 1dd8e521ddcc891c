//! Prints how many gates the circuits have: AND gates of a graph with shared gates and folded constants, in
//! which products are rows of adders, and quotients and roots are trial subtractions.
//!
//! `cargo run -p bivalve-floats --example sizes` prints a row for each operator, with the mode as an input,
//! and with nearest even as a constant.
#![allow(clippy::print_stdout)]

use bivalve_floats::circuits::{Application, Words, free_width, image, restoring_root};
use bivalve_floats::num_bigint::BigUint;
use bivalve_floats::{Format, Operation, RoundingMode};
use std::collections::BTreeMap;

/// A node of the graph and whether it is complemented: `2 * node + complement`. Node 0 is the constant.
type Edge = u32;

const FALSE: Edge = 0;
const TRUE: Edge = 1;

/// A graph of AND gates.
#[derive(Default)]
struct Graph {
    gates: BTreeMap<(Edge, Edge), Edge>,
    nodes: u32,
}

impl Graph {
    fn input(&mut self, width: u32) -> Vec<Edge> {
        (0..width).map(|_| self.node()).collect()
    }

    fn node(&mut self) -> Edge {
        self.nodes += 1;
        2 * self.nodes
    }

    fn gate(&mut self, a: Edge, b: Edge) -> Edge {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (FALSE, _) => FALSE,
            (TRUE, _) => b,
            _ if a == b => a,
            _ if a ^ 1 == b => FALSE,
            _ => {
                if let Some(gate) = self.gates.get(&(a, b)) {
                    return *gate;
                }
                let gate = self.node();
                self.gates.insert((a, b), gate);
                gate
            }
        }
    }

    fn either(&mut self, a: Edge, b: Edge) -> Edge {
        self.gate(a ^ 1, b ^ 1) ^ 1
    }

    fn mux(&mut self, condition: Edge, then: Edge, other: Edge) -> Edge {
        if then == other {
            return then;
        }
        let (left, right) = (self.gate(condition, then), self.gate(condition ^ 1, other));
        self.either(left, right)
    }

    fn differ(&mut self, a: Edge, b: Edge) -> Edge {
        let (left, right) = (self.gate(a, b ^ 1), self.gate(a ^ 1, b));
        self.either(left, right)
    }

    fn zip(&mut self, a: &[Edge], b: &[Edge], gate: fn(&mut Graph, Edge, Edge) -> Edge) -> Vec<Edge> {
        a.iter().zip(b).map(|(x, y)| gate(self, *x, *y)).collect()
    }

    fn sum(&mut self, a: &[Edge], b: &[Edge], mut carry: Edge) -> (Vec<Edge>, Edge) {
        let mut digits = vec![];
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.differ(x, y);
            digits.push(self.differ(differ, carry));
            carry = self.mux(differ, carry, x);
        }
        (digits, carry)
    }

    fn difference(&mut self, a: &[Edge], b: &[Edge]) -> (Vec<Edge>, Edge) {
        let flipped: Vec<Edge> = b.iter().map(|y| y ^ 1).collect();
        self.sum(a, &flipped, TRUE)
    }
}

impl Words for Graph {
    type Word = Vec<Edge>;

    fn width(&self, a: &Vec<Edge>) -> u32 {
        a.len() as u32
    }

    fn constant(&mut self, width: u32, value: &BigUint) -> Vec<Edge> {
        (0..u64::from(width)).map(|index| Edge::from(value.bit(index))).collect()
    }

    fn not(&mut self, a: &Vec<Edge>) -> Vec<Edge> {
        a.iter().map(|x| x ^ 1).collect()
    }

    fn and(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> Vec<Edge> {
        self.zip(a, b, Graph::gate)
    }

    fn or(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> Vec<Edge> {
        self.zip(a, b, Graph::either)
    }

    fn xor(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> Vec<Edge> {
        self.zip(a, b, Graph::differ)
    }

    fn add(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> Vec<Edge> {
        self.sum(a, b, FALSE).0
    }

    fn sub(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> Vec<Edge> {
        self.difference(a, b).0
    }

    fn mul(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> Vec<Edge> {
        let mut sum = vec![FALSE; a.len()];
        for (index, &bit) in b.iter().enumerate() {
            let mut row = vec![FALSE; index];
            row.extend(a[..a.len() - index].iter().map(|x| self.gate(*x, bit)));
            sum = self.sum(&sum, &row, FALSE).0;
        }
        sum
    }

    fn div_rem(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> (Vec<Edge>, Vec<Edge>) {
        let mut wide = b.clone();
        wide.push(FALSE);
        let (mut rest, mut quotient) = (vec![FALSE; wide.len()], vec![FALSE; a.len()]);
        for index in (0..a.len()).rev() {
            rest.rotate_right(1);
            rest[0] = a[index];
            let (less, is_enough) = self.difference(&rest, &wide);
            rest = self.ite(&vec![is_enough], &less, &rest);
            quotient[index] = is_enough;
        }
        rest.pop();
        (quotient, rest)
    }

    fn root(&mut self, a: &Vec<Edge>) -> (Vec<Edge>, Vec<Edge>) {
        restoring_root(self, a)
    }

    fn eq(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> Vec<Edge> {
        let differences = self.zip(a, b, Graph::differ);
        vec![differences.into_iter().fold(TRUE, |all, bit| self.gate(all, bit ^ 1))]
    }

    fn ult(&mut self, a: &Vec<Edge>, b: &Vec<Edge>) -> Vec<Edge> {
        let mut less = FALSE;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.differ(x, y);
            less = self.mux(differ, y, less);
        }
        vec![less]
    }

    fn ite(&mut self, condition: &Vec<Edge>, then: &Vec<Edge>, other: &Vec<Edge>) -> Vec<Edge> {
        then.iter().zip(other).map(|(x, y)| self.mux(condition[0], *x, *y)).collect()
    }

    fn concat(&mut self, high: &Vec<Edge>, low: &Vec<Edge>) -> Vec<Edge> {
        low.iter().chain(high).copied().collect()
    }

    fn extract(&mut self, a: &Vec<Edge>, high: u32, low: u32) -> Vec<Edge> {
        a[low as usize..=high as usize].to_vec()
    }
}

/// The gates of an operator that the result depends on.
fn gates(operation: Operation, format: Format, width: u32, constant_mode: bool) -> usize {
    let mut graph = Graph::default();
    let operands: Vec<_> = (0..operation.arity()).map(|_| graph.input(width)).collect();
    let mode = if constant_mode {
        graph.constant(RoundingMode::CODE_BITS, &BigUint::from(RoundingMode::NearestEven.code()))
    } else {
        graph.input(RoundingMode::CODE_BITS)
    };
    let free = graph.input(free_width(operation).unwrap_or(1));
    let application = Application { operation, format, mode: &mode, operands: &operands, free: &free };
    let Some(result) = image(&mut graph, &application) else {
        return 0;
    };
    let inputs: BTreeMap<Edge, (Edge, Edge)> =
        graph.gates.iter().map(|(inputs, gate)| (*gate, *inputs)).collect();
    let mut reached = vec![false; graph.nodes as usize + 1];
    let mut pending: Vec<Edge> = result.iter().map(|edge| edge & !1).collect();
    let mut count = 0;
    while let Some(gate) = pending.pop() {
        if std::mem::replace(&mut reached[gate as usize / 2], true) {
            continue;
        }
        if let Some((a, b)) = inputs.get(&gate) {
            count += 1;
            pending.extend([a & !1, b & !1]);
        }
    }
    count
}

fn main() {
    let formats = [Format::FLOAT16, Format::FLOAT32, Format::FLOAT64];
    println!("{:<24}{:>18}{:>18}{:>18}", "gates: any mode / RNE", "5/11", "8/24", "11/53");
    let operations = [
        Operation::Lt,
        Operation::Min,
        Operation::Add,
        Operation::Mul,
        Operation::Fma,
        Operation::Div,
        Operation::Sqrt,
        Operation::Rem,
        Operation::RoundToIntegral,
        Operation::Convert(Format::FLOAT16),
        Operation::Convert(Format::FLOAT128),
        Operation::ToSigned(32),
        Operation::FromSigned(Format::FLOAT32),
    ];
    for operation in operations {
        print!("{:<24}", format!("{operation:?}").chars().take(23).collect::<String>());
        for format in formats {
            let width = if matches!(operation, Operation::FromSigned(_)) { 32 } else { format.width() };
            let sizes = [false, true].map(|constant| gates(operation, format, width, constant).to_string());
            print!("{:>18}", sizes.join(" / "));
        }
        println!();
    }
}

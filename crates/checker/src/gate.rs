//! Literals, gates and the clauses that define gates.
//!
//! A gate is a variable with a definition over earlier variables, so its clauses can be added to any set of
//! clauses without losing a model. Gates are hash-consed after simplifications: constants, equal and
//! complementary inputs, order, and a conjunction below a conjunction that has one of its inputs. The clauses
//! of a gate are never stored; a proof names them by gate and number.
//!
//! Cost: an entry of a hash table and 20 bytes per gate.

use rustc_hash::FxHashMap;

/// A variable or its negation: twice the variable, plus one if negated. Variable 0 is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

/// The constant.
pub const TRUE: Lit = Lit(0);
/// Its negation.
pub const FALSE: Lit = Lit(1);

impl Lit {
    /// The literal of this code.
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// Twice the variable, plus one if negated.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The variable.
    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    /// Is the variable negated?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The negation if `negate`, else the literal.
    pub fn flip(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        self.flip(true)
    }
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// A bit that nothing defines.
    Free,
    /// Conjunction.
    And(Lit, Lit),
    /// Exclusive or.
    Xor(Lit, Lit),
    /// The second where the first is true, else the third.
    Mux(Lit, Lit, Lit),
    /// At least two of three.
    Maj(Lit, Lit, Lit),
}

/// All variables.
#[derive(Clone)]
pub struct Gates {
    gates: Vec<Gate>,
    numbers: FxHashMap<Gate, Lit>,
}

impl Default for Gates {
    fn default() -> Gates {
        Gates { gates: vec![Gate::Free], numbers: FxHashMap::default() }
    }
}

impl Gates {
    /// The number of variables.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Is there nothing but the constant?
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// A bit that nothing defines.
    pub fn free(&mut self) -> Lit {
        self.push(Gate::Free)
    }

    fn push(&mut self, gate: Gate) -> Lit {
        self.gates.push(gate);
        Lit((self.gates.len() as u32 - 1) << 1)
    }

    fn gate(&mut self, gate: Gate) -> Lit {
        if let Some(&known) = self.numbers.get(&gate) {
            return known;
        }
        let lit = self.push(gate);
        self.numbers.insert(gate, lit);
        lit
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match a {
            TRUE => b,
            FALSE => FALSE,
            _ if a == b => a,
            _ if a == !b => FALSE,
            _ => self
                .absorbed(a, b)
                .or_else(|| self.absorbed(b, a))
                .unwrap_or_else(|| self.gate(Gate::And(a, b))),
        }
    }

    /// `a` and `b`, where `a` or its negation is in the conjunction that `b` is or negates; `None` if another
    /// gate is needed.
    fn absorbed(&self, a: Lit, b: Lit) -> Option<Lit> {
        let Gate::And(c, d) = self.gate_of(b.var()) else { return None };
        match (b.is_negated(), a == c || a == d, a == !c || a == !d) {
            (false, true, _) => Some(b),
            (false, _, true) => Some(FALSE),
            (true, _, true) => Some(a),
            _ => None,
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.flip(a.is_negated()), b.flip(b.is_negated()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let positive = match a {
            TRUE => !b,
            _ if a == b => FALSE,
            _ => self.gate(Gate::Xor(a, b)),
        };
        positive.flip(negate)
    }

    /// `a` where `c` is true, else `b`.
    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if c.is_negated() {
            return self.mux(!c, b, a);
        }
        match (c, a, b) {
            (TRUE, _, _) => a,
            _ if a == b => a,
            _ if a == !b => !self.xor(c, a),
            (_, TRUE, _) => self.or(c, b),
            (_, FALSE, _) => self.and(!c, b),
            (_, _, TRUE) => self.or(!c, a),
            (_, _, FALSE) => self.and(c, a),
            _ if a == c => self.or(c, b),
            _ if a == !c => self.and(!c, b),
            _ if b == c => self.and(c, a),
            _ if b == !c => self.or(!c, a),
            _ if a.is_negated() => !self.gate(Gate::Mux(c, !a, !b)),
            _ => self.gate(Gate::Mux(c, a, b)),
        }
    }

    /// At least two of three.
    pub fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        match (a, b, c) {
            (TRUE, _, _) => self.or(b, c),
            (FALSE, _, _) => self.and(b, c),
            _ if a == b => a,
            _ if b == c => b,
            _ if a == !b => c,
            _ if b == !c => a,
            _ if a.is_negated() => !self.gate_maj(!a, !b, !c),
            _ => self.gate_maj(a, b, c),
        }
    }

    fn gate_maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        self.gate(Gate::Maj(sorted[0], sorted[1], sorted[2]))
    }

    /// Three bits of one weight: the sum bit and the carry.
    pub fn add(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        (self.xor(half, c), self.maj(a, b, c))
    }

    /// What a variable is; the constant and those that there are not are free.
    pub fn gate_of(&self, var: u32) -> Gate {
        self.gates.get(var as usize).copied().unwrap_or(Gate::Free)
    }

    /// The number of clauses that define a variable.
    pub fn clauses_of(&self, var: u32) -> u32 {
        match self.gates.get(var as usize) {
            _ if var == 0 => 1,
            None | Some(Gate::Free) => 0,
            Some(Gate::And(..)) => 3,
            Some(Gate::Xor(..)) => 4,
            Some(Gate::Mux(..) | Gate::Maj(..)) => 6,
        }
    }

    /// A clause that defines a variable, by number; `None` if there is no such clause. A clause of fewer than
    /// four literals repeats its last.
    pub fn clause(&self, var: u32, number: u32) -> Option<[Lit; 4]> {
        let g = Lit(var << 1);
        let three = |a, b, c| [a, b, c, c];
        let clauses: [[Lit; 4]; 6] = match *self.gates.get(var as usize)? {
            _ if var == 0 => [three(TRUE, TRUE, TRUE); 6],
            Gate::Free => return None,
            Gate::And(a, b) => {
                let both = three(g, !a, !b);
                [three(!g, a, a), three(!g, b, b), both, both, both, both]
            }
            Gate::Xor(a, b) => {
                let last = three(g, a, !b);
                [three(!g, a, b), three(!g, !a, !b), three(g, !a, b), last, last, last]
            }
            // The last two follow from the others; with them more is found by propagation.
            Gate::Mux(c, a, b) => [
                three(!g, !c, a),
                three(!g, c, b),
                three(g, !c, !a),
                three(g, c, !b),
                three(!g, a, b),
                three(g, !a, !b),
            ],
            Gate::Maj(a, b, c) => [
                three(!g, a, b),
                three(!g, a, c),
                three(!g, b, c),
                three(g, !a, !b),
                three(g, !a, !c),
                three(g, !b, !c),
            ],
        };
        (number < self.clauses_of(var)).then(|| clauses[number as usize])
    }
}

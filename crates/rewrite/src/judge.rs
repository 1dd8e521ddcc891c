//! The judge of rows: is a row an equation?
//!
//! A row is judged by *instances* of its left side. Making one takes choices: a sort for each class of
//! metavariables that inference left open, numbers for named indices, values for the constants `k m n h`, and
//! for every other metavariable whether it is a symbol or something more particular (rows about terms that
//! are seen to differ, or whose sign is seen, need such). All choices come from a [`Chooser`]: an odometer
//! that goes through all of them, or chance. For an instance the compiled rule is applied, the one under
//! judgement alone, and both sides are evaluated by the reference semantics, under all assignments if these
//! are few, else under random ones.
//!
//! So the statement, its normalisation, the patterns and what is built are all judged at once: what is
//! compared is the left side as it was written and the term that the engine would put in its place.

use crate::engine::{Level, Rewriter};
use crate::index::Variant;
use crate::normal::Eliminations;
use crate::row::Row;
use crate::rule::Rule;
use crate::statement::Statement;
use crate::table::{RuleTable, Source};
use bivalve_statements::Head;
use bivalve_statements::functions::Meaning;
use bivalve_statements::make;
use bivalve_statements::{Class, Kind, Typing};
use bivalve_statements::{Literal, Node, Tree, names_constant};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Sort, Term, Value};
use std::sync::Arc;

/// Under this many bits all assignments are tried.
const EXHAUSTIVE_BITS: u32 = 12;

/// A metavariable may be a symbol, a constant, a complement, a sum with a constant, a concatenation with one,
/// and zero.
const SHAPES: usize = 6;

/// Otherwise so many are.
const RANDOM_ASSIGNMENTS: usize = 20;

/// A source of choices.
pub(crate) enum Chooser {
    /// Goes through all sequences of choices: places and sizes of the wheels, and the wheel that is read
    /// next.
    Odometer {
        wheels: Vec<(usize, usize)>,
        next: usize,
    },
    Random(TermGen),
}

impl Chooser {
    fn odometer() -> Chooser {
        Chooser::Odometer { wheels: vec![], next: 0 }
    }

    /// One of `count` things.
    fn choose(&mut self, count: usize) -> usize {
        match self {
            Chooser::Random(random) => random.rng().usize(..count),
            Chooser::Odometer { wheels, next } => {
                if *next == wheels.len() {
                    wheels.push((0, count));
                }
                *next += 1;
                wheels[*next - 1].0
            }
        }
    }

    /// On to the next sequence of choices; `false` after the last one.
    fn advance(&mut self) -> bool {
        let Chooser::Odometer { wheels, next } = self else { return true };
        *next = 0;
        while let Some((place, count)) = wheels.pop() {
            if place + 1 < count {
                wheels.push((place + 1, count));
                return true;
            }
        }
        false
    }

    /// A constant of a width: any one of the narrow ones, else a random one.
    fn constant(&mut self, width: u32) -> BitVec {
        match self {
            Chooser::Random(random) => random.bitvec(width),
            Chooser::Odometer { .. } => BitVec::from_u64(self.choose(1 << width) as u64, width),
        }
    }
}

/// A rule that stands alone, ready to be judged.
pub(crate) struct Case {
    pub(crate) rule: Rule,
    variants: Vec<Variant>,
    row: Row,
    left: Tree,
    typing: Typing,
    classes: Vec<Class>,
    slots: Vec<char>,
    /// Do metavariables have to be bound to more than symbols for the rule to fire?
    particular: bool,
    normalisers: [Arc<RuleTable>; 2],
}

/// The two sides of an instance.
pub(crate) struct Instance {
    pub(crate) pool: Pool,
    /// As stated.
    pub(crate) left: Term,
    /// Normalised, without negations on top.
    pub(crate) normal: Term,
    /// What the rule made of `normal`.
    pub(crate) result: Term,
    /// The same of `left`.
    pub(crate) right: Term,
    symbols: Vec<Term>,
}

/// Makes cases of rows.
pub(crate) struct Judge {
    eliminations: Eliminations,
    normalisers: [Arc<RuleTable>; 2],
}

impl Judge {
    pub(crate) fn new() -> Judge {
        let mut eliminations = Eliminations::default();
        let definitions: Vec<Row> = crate::rules::rows().filter(|row| row.definition).collect();
        for row in &definitions {
            let statement = Source { row: *row, twin: false }.statement().unwrap();
            eliminations.insert(&statement).unwrap();
        }
        let moves = crate::rules::rows().filter(|row| ["xor_not", "eq_not", "not_not"].contains(&row.name));
        let all: Vec<Row> = definitions.iter().copied().chain(moves).collect();
        let normalisers = [&definitions[..], &all].map(|rows| Arc::new(RuleTable::compile(rows).unwrap()));
        Judge { eliminations, normalisers }
    }

    /// The cases of a row: its own and that of its twin.
    pub(crate) fn cases(&self, row: &Row) -> Result<Vec<Case>, String> {
        Source::of(*row).map(|source| self.case(row, source.statement()?)).collect()
    }

    fn case(&self, row: &Row, statement: Statement) -> Result<Case, String> {
        let (left, slots) = (statement.left.clone(), statement.slots.clone());
        let (mut typing, mut classes) = (Typing::new(&slots), vec![]);
        typing.enter(&left, &mut classes)?;
        let mut particular = false;
        if let Some(condition) = &statement.condition {
            typing.enter(condition, &mut vec![])?;
            typing.trust(condition)?;
            particular |= asks_structure(condition);
        }
        let (rule, patterns) = Rule::compile(row, statement, &self.eliminations)?;
        let variant = |args| Variant { rule: 0, args, list: row.list, bits_only: false };
        let variants = patterns.into_iter().map(variant).collect();
        let normalisers = self.normalisers.clone();
        Ok(Case { rule, variants, row: *row, left, typing, classes, slots, particular, normalisers })
    }
}

fn asks_structure(condition: &Tree) -> bool {
    matches!(condition, Tree::Call(function, _) if matches!(function.meaning, Meaning::Structure(_)))
        || condition.args().iter().any(asks_structure)
}

/// An instance with two values, as text; `None` if none was found.
pub(crate) fn refute(
    case: &Case,
    widths: &[u32],
    mut chooser: Chooser,
    instances: usize,
    seed: u64,
) -> Verdict {
    let mut random = TermGen::new(seed);
    let mut verdict = Verdict { fired: 0, refutation: None };
    for _ in 0..instances {
        if let Some(instance) = case.instance(widths, &mut chooser) {
            verdict.fired += 1;
            if let Some(assignment) = instance.differs(&mut random) {
                let names = |term: &Term| format!("{:?} = {:?}", term, assignment.get(*term));
                let values: Vec<String> = instance.symbols.iter().map(names).collect();
                let width = instance.pool.width(instance.left);
                verdict.refutation = Some(format!("{} at {width:?}: {values:?}", case.rule.name()));
                return verdict;
            }
        }
        if !chooser.advance() {
            break;
        }
    }
    verdict
}

/// What judging came to.
pub(crate) struct Verdict {
    /// So many instances were rewritten.
    pub(crate) fired: usize,
    pub(crate) refutation: Option<String>,
}

/// All choices.
pub(crate) fn all() -> Chooser {
    Chooser::odometer()
}

/// Random ones.
pub(crate) fn random(seed: u64) -> Chooser {
    Chooser::Random(TermGen::new(seed))
}

impl Case {
    /// The instance that comes of the choices, if they fit together and the rule fires on it.
    pub(crate) fn instance(&self, widths: &[u32], chooser: &mut Chooser) -> Option<Instance> {
        let mut maker = Maker {
            case: self,
            widths,
            chooser,
            pool: Pool::new(),
            sorts: vec![],
            slots: vec![],
            symbols: vec![],
            shared: vec![],
        };
        maker.sorts = vec![None; self.typing.classes()];
        // Parts before the wholes, whose widths follow.
        for &class in self.classes.iter().rev() {
            maker.propagate()?;
            maker.sort_of(class);
        }
        maker.propagate()?;
        for slot in 0..self.slots.len() {
            let term = maker.slot(slot);
            maker.slots.push(term);
        }
        let left = maker.build(&self.left, &mut 0)?;
        let Maker { mut pool, symbols, .. } = maker;
        self.normal_forms(&mut pool, left).into_iter().find_map(|normal| {
            let (normal, removed) = self.below_negations(&pool, normal)?;
            let args = pool.args(normal).to_vec();
            let head =
                Head { op: pool.op(normal), index: pool.index(normal), sort: pool.sort(normal), args: &args };
            let result = self.variants.iter().find_map(|variant| {
                let bindings = variant.matches(&pool, &args)?;
                self.rule.apply(&mut pool, &head, &bindings)
            })?;
            assert_eq!(pool.sort(result), pool.sort(normal), "{} changes sorts", self.rule.name());
            let right = (0..removed).fold(result, |right, _| make::not(&mut pool, right));
            Some(Instance {
                pool: std::mem::take(&mut pool),
                left,
                normal,
                result,
                right,
                symbols: symbols.clone(),
            })
        })
    }

    /// The left side itself, without the operators outside of the core, and without negations below
    /// exclusive-ors: the rule fires on one of them.
    fn normal_forms(&self, pool: &mut Pool, left: Term) -> Vec<Term> {
        let mut forms = vec![left];
        for table in &self.normalisers {
            forms.push(Rewriter::with_table(Level::Local, table.clone()).rewrite(pool, left));
        }
        forms
    }

    /// The term below negations that has the head of the rule, and how many negations there are.
    fn below_negations(&self, pool: &Pool, mut term: Term) -> Option<(Term, usize)> {
        let mut removed = 0;
        while pool.op(term) != self.rule.head() {
            if !matches!(pool.op(term), Op::Not | Op::BvNot) {
                return None;
            }
            term = pool.args(term)[0];
            removed += 1;
        }
        Some((term, removed))
    }
}

impl Instance {
    /// An assignment under which the sides differ.
    fn differs(&self, random: &mut TermGen) -> Option<Assignment> {
        let sort = |symbol: &Term| self.pool.sort(*symbol);
        let bits = |sort: Sort| if sort.is_bool() { Some(1) } else { sort.width() };
        let total: Option<u32> = self.symbols.iter().map(|symbol| bits(sort(symbol))).sum();
        match total {
            Some(total) if total <= EXHAUSTIVE_BITS => (0..1u64 << total).find_map(|mut code| {
                let mut assignment = Assignment::new();
                for symbol in &self.symbols {
                    let width = bits(sort(symbol)).expect("counted before");
                    let value = BitVec::from_u64(code, width);
                    code >>= width;
                    let value = if sort(symbol).is_bool() { value.lsb().into() } else { Value::from(value) };
                    assignment.set(*symbol, value);
                }
                self.differs_under(assignment)
            }),
            _ => (0..RANDOM_ASSIGNMENTS)
                .find_map(|_| self.differs_under(random.assignment(&self.pool, &[self.left, self.right]))),
        }
    }

    fn differs_under(&self, assignment: Assignment) -> Option<Assignment> {
        let mut evaluator = Evaluator::new(&self.pool, &assignment);
        let left = evaluator.eval(self.left).clone();
        let same = left == *evaluator.eval(self.right);
        (!same).then_some(assignment)
    }
}

/// Makes an instance by making choices.
struct Maker<'a> {
    case: &'a Case,
    widths: &'a [u32],
    chooser: &'a mut Chooser,
    pool: Pool,
    /// By class, the representatives alone.
    sorts: Vec<Option<Sort>>,
    slots: Vec<Term>,
    symbols: Vec<Term>,
    /// Symbols that several metavariables may mention.
    shared: Vec<Term>,
}

impl Maker<'_> {
    fn width(&self, class: Class) -> Option<u32> {
        match self.case.typing.kind(class) {
            Kind::BitVec(Some(width)) => Some(width),
            _ => self.sorts[self.case.typing.find(class)]?.width(),
        }
    }

    /// The sort of a class, chosen now if it is still open.
    fn sort_of(&mut self, class: Class) -> Sort {
        let root = self.case.typing.find(class);
        if let Some(sort) = self.sorts[root] {
            return sort;
        }
        let widths = self.widths.len();
        let sort = match self.case.typing.kind(class) {
            Kind::Bool => Sort::BOOL,
            Kind::BitVec(Some(width)) => Sort::bitvec(width).unwrap(),
            Kind::BitVec(None) => Sort::bitvec(self.widths[self.chooser.choose(widths)]).unwrap(),
            Kind::Unknown => match self.chooser.choose(widths + 1) {
                0 => Sort::BOOL,
                choice => Sort::bitvec(self.widths[choice - 1]).unwrap(),
            },
            Kind::Array { index, element } => {
                let (index, element) = (self.sort_of(index), self.sort_of(element));
                self.pool.sorts_mut().array(index, element).unwrap()
            }
        };
        self.sorts[root] = Some(sort);
        sort
    }

    /// Widths of concatenations follow from those of the parts, and the other way round; `None` if they
    /// cannot agree.
    fn propagate(&mut self) -> Option<()> {
        let case = self.case;
        let mut next = 0;
        self.propagate_tree(&case.left, &mut next)
    }

    fn propagate_tree(&mut self, tree: &Tree, next: &mut usize) -> Option<()> {
        let here = self.case.classes[*next];
        *next += 1;
        let children: Vec<Class> = tree
            .args()
            .iter()
            .map(|arg| {
                let class = self.case.classes[*next];
                self.propagate_tree(arg, next).map(|()| class)
            })
            .collect::<Option<_>>()?;
        let Tree::App(Node { op: Op::Concat, .. }) = tree else { return Some(()) };
        let [a, b] = children[..] else { return Some(()) };
        match (self.width(here), self.width(a), self.width(b)) {
            (None, Some(a), Some(b)) => self.set(here, a + b),
            (Some(whole), Some(a), None) => self.set(b, whole.checked_sub(a)?),
            (Some(whole), None, Some(b)) => self.set(a, whole.checked_sub(b)?),
            _ => Some(()),
        }
    }

    fn set(&mut self, class: Class, width: u32) -> Option<()> {
        let root = self.case.typing.find(class);
        self.sorts[root] = Some(Sort::bitvec(width).ok()?);
        Some(())
    }

    /// What a metavariable stands for.
    fn slot(&mut self, slot: usize) -> Term {
        let class = self.case.typing.slots()[slot];
        let sort = self.sort_of(class);
        if names_constant(self.case.slots[slot]) {
            let width = sort.width().expect("constants are bit-vectors");
            let value = self.chooser.constant(width);
            return self.pool.bitvec(&value);
        }
        let shapes = match (self.case.particular, &self.chooser) {
            (false, Chooser::Odometer { .. }) => 1,
            _ if !sort.is_bitvec() => 1,
            _ => SHAPES,
        };
        let shape = self.chooser.choose(shapes);
        let symbol = self.symbol(sort, shape);
        let width = sort.width().unwrap_or(0);
        match shape {
            0 => symbol,
            1 => {
                let value = self.chooser.constant(width);
                self.pool.bitvec(&value)
            }
            2 => make::not(&mut self.pool, symbol),
            3 => {
                let value = self.chooser.constant(width);
                let offset = self.pool.bitvec(&value);
                make::app(&mut self.pool, Op::BvAdd, &[offset, symbol])
            }
            4 => self.pool.bitvec(&BitVec::zero(width)),
            _ if width == 1 => symbol,
            _ => {
                let value = self.chooser.constant(1);
                let (high, low) =
                    (self.pool.bitvec(&value), make::extract(&mut self.pool, symbol, width - 2, 0));
                make::concat(&mut self.pool, &[Some(high), Some(low)])
            }
        }
    }

    /// A new symbol for a metavariable that is a symbol, else one that is shared.
    fn symbol(&mut self, sort: Sort, shape: usize) -> Term {
        if shape != 0
            && let Some(&symbol) = self.shared.iter().find(|&&symbol| self.pool.sort(symbol) == sort)
        {
            return symbol;
        }
        let symbol = self.pool.symbol("s", sort);
        self.symbols.push(symbol);
        if shape != 0 || self.case.particular {
            self.shared.push(symbol);
        }
        symbol
    }

    /// The left side as stated, or `None` if the choices do not fit.
    fn build(&mut self, tree: &Tree, next: &mut usize) -> Option<Term> {
        let class = self.case.classes[*next];
        *next += 1;
        match tree {
            Tree::Slot(slot) => Some(self.slots[*slot as usize]),
            Tree::Literal(literal) => Some(self.literal(*literal, class)),
            Tree::Call(..) => unreachable!("no calls on the left"),
            Tree::App(node) => {
                let mut args = vec![];
                for arg in &node.args {
                    args.push(self.build(arg, next)?);
                }
                if self.case.row.list {
                    let symbol = self.pool.symbol("s", self.pool.sort(args[0]));
                    self.symbols.push(symbol);
                    args.push(symbol);
                }
                let indices = self.indices(node, &args, class)?;
                if node.op == Op::ConstArray {
                    let sort = self.sort_of(class);
                    return self.pool.const_array(sort, args[0]).ok();
                }
                self.pool.indexed(node.op, &indices, &args).ok()
            }
        }
    }

    fn literal(&mut self, literal: Literal, class: Class) -> Term {
        let sort = self.sort_of(class);
        let value = literal.value(sort);
        make::constant(&mut self.pool, &value)
    }

    /// The indices of an operator over `args`; those of a slice fit a width that is known already.
    fn indices(&mut self, node: &Node, args: &[Term], class: Class) -> Option<Vec<u32>> {
        let width = self.pool.width(args[0]);
        Some(match node.op {
            Op::Extract => {
                let (whole, part) = (width?, self.width(class));
                let low = self.chooser.choose(whole as usize) as u32;
                let high = match part {
                    Some(part) => low + part - 1,
                    None => low + self.chooser.choose((whole - low) as usize) as u32,
                };
                vec![high, low]
            }
            Op::Repeat => vec![1 + self.chooser.choose(3) as u32],
            _ if node.indices.is_empty() => vec![],
            _ => match (self.width(class), width) {
                (Some(whole), Some(width)) if matches!(node.op, Op::SignExtend | Op::ZeroExtend) => {
                    vec![whole.checked_sub(width)?]
                }
                _ => vec![self.chooser.choose(4) as u32],
            },
        })
    }
}

//! Cut points: a search on a system some of whose terms and registers are free inputs.

use crate::influence::cone_of_influence;
use crate::pace::Grant;
use crate::ic3::Ic3;
use crate::proving::{Prover, Search};
use crate::slices::{self, Image};
use crate::trace;
use bivalve::Why;
use bivalve::terms::{Assignment, Op, Pool, Rebuild, Term, TermMap, TermSet, Valuation, Value, cone};
use bivalve_systems::{Claim, Frame, Input, Partial, PartialWitness, Simulator, System, Witness};

const TERMS: u64 = 64;

/// A search with cut points.
pub(crate) struct Cuts {
    bad: Term,
    predicates: Vec<Term>,
    grant: Grant,
    /// What is cut, each with the input that stands for it; for a state the symbol itself.
    cuts: Vec<(Term, Term)>,
    images: Rebuild,
    system: System,
    /// The same with narrow words, and what the symbols are there.
    narrow: Option<(System, TermMap<Image>)>,
    prover: Ic3,
    runs: usize,
}

fn knob(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

fn is_expensive(pool: &Pool, term: Term) -> bool {
    let width = |t: Term| pool.width(t).unwrap_or(1);
    let spec = knob("CUT_OPS");
    let class = match pool.op(term) {
        Op::BvMul if !pool.args(term).iter().any(|&a| pool.is_const(a)) => "mul",
        Op::BvMul => "cmul",
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => "div",
        Op::BvShl | Op::BvLshr | Op::BvAshr if !pool.is_const(pool.args(term)[1]) => "shift",
        Op::BvAdd | Op::BvSub | Op::BvNeg => "add",
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => "cmp",
        Op::Eq => "eq",
        Op::Ite => "ite",
        _ => return false,
    };
    let width = width(pool.args(term)[pool.args(term).len() - 1]);
    spec.split(',').any(|item| {
        item.strip_prefix(class).is_some_and(|w| w.is_empty() || w.parse::<u32>().is_ok_and(|w| width >= w))
    })
}

impl Cuts {
    pub(crate) fn begin(
        pool: &mut Pool,
        system: &System,
        bad: Term,
        predicates: &[Term],
        grant: &Grant,
    ) -> Result<Box<dyn Prover>, Why> {
        let mut cuts = vec![];
        if let Ok(least) = knob("CUT_DATA").parse() {
            for term in barring(pool, system, least) {
                let symbol = pool.symbol(&format!("cut{}", cuts.len()), pool.sort(term));
                cuts.push((term, symbol));
            }
        }
        for term in cone(pool, &system.terms()) {
            if is_expensive(pool, term) {
                let symbol = pool.symbol(&format!("cut{}", cuts.len()), pool.sort(term));
                cuts.push((term, symbol));
            }
        }
        if !knob("CUT_STATES").is_empty() {
            let near: TermSet = {
                let mut set = TermSet::new();
                cone(pool, &[bad]).into_iter().for_each(|t| {
                    set.insert(t);
                });
                set
            };
            for state in system.states.iter().filter(|state| !near.contains(state.term)) {
                cuts.push((state.term, state.term));
            }
        }
        let (images, abstracted) = build(pool, system, &cuts);
        let narrow = narrowed(pool, &abstracted);
        let worked = narrow.as_ref().map_or(&abstracted, |narrow| &narrow.0);
        let prover = Ic3::new(pool, worked, worked.bads[0].term, &usable(pool, predicates, worked), grant)?;
        if !knob("CUT_LOG").is_empty() {
            eprintln!("bits: {} of {}", bits(pool, worked), bits(pool, system));
        }
        if !knob("CUT_LOG").is_empty() {
            eprintln!("cuts: {} cut, {} states, {} inputs of {} states", cuts.len(), abstracted.states.len(), abstracted.inputs.len(), system.states.len());
        }
        Ok(Box::new(Cuts {
            bad,
            predicates: predicates.to_vec(),
            grant: grant.clone(),
            cuts,
            images,
            system: abstracted,
            narrow,
            prover,
            runs: 0,
        }))
    }

    fn look_at(&mut self, pool: &mut Pool, part: &System, frames: Vec<Frame>) -> Option<Vec<Frame>> {
        let _ = self.bad;
        let witness = Witness { claims: vec![Claim::Bad(0)], frames: frames.clone(), loop_start: None };
        let minimal = self.system.minimize(pool, &PartialWitness::from(&witness)).expect("it replays");
        let mut given = trace::assignments(pool, &self.system, frames).expect("it replays");
        // The run with the same inputs.
        let zero = |pool: &Pool, term: Term| Value::default_of(pool.sorts(), pool.sort(term));
        let concrete: Vec<Frame> = given
            .iter()
            .enumerate()
            .map(|(number, given)| {
                let value = |term: Term| given.get(term).cloned().unwrap_or_else(|| zero(pool, term));
                let states = part.states.iter().enumerate().filter(|(_, s)| number == 0 && s.init.is_none());
                Frame {
                    states: states.map(|(i, s)| (i, value(s.term))).collect(),
                    inputs: part.inputs.iter().enumerate().map(|(i, s)| (i, value(s.term))).collect(),
                }
            })
            .collect();
        let witness = Witness { claims: vec![Claim::Bad(0)], frames: concrete, loop_start: None };
        if part.replay(pool, &witness).is_ok() {
            return Some(witness.frames);
        }
        let mut simulator = Simulator::new(pool, part).expect("it is well-formed");
        let mut exact: Vec<TermMap<Value>> = vec![];
        for (number, frame) in witness.frames.iter().enumerate() {
            let free = |i: usize| frame.states.iter().find(|(k, _)| *k == i).map(|(_, v)| v.clone());
            if number == 0 { simulator.start(free) } else { simulator.advance(|_| None) }
            simulator.evaluate(|i| Some(frame.inputs[i].1.clone()));
            let mut values = TermMap::new();
            for (cut, _) in &self.cuts {
                values.insert(*cut, simulator.value(*cut).clone());
            }
            exact.push(values);
            for symbol in part.symbols() {
                if given[number].get(symbol).is_none() {
                    given[number].set(symbol, simulator.value(symbol).clone());
                }
            }
            for &(cut, symbol) in &self.cuts {
                if given[number].get(symbol).is_none() {
                    given[number].set(symbol, simulator.value(cut).clone());
                }
            }
        }
        let broken = self.broken(pool, part, &minimal, &given, &exact);
        let kept: Vec<(Term, Term)> =
            self.cuts.iter().copied().filter(|(cut, _)| !broken.contains(*cut)).collect();
        assert!(kept.len() < self.cuts.len(), "some cut is to blame");
        if !knob("CUT_LOG").is_empty() {
            let out: Vec<String> = self.cuts.iter().filter(|(cut, _)| broken.contains(*cut)).map(|(cut, _)| {
                let name = pool.name(*cut).map(str::to_owned);
                name.unwrap_or_else(|| format!("{:?}:{}", pool.op(*cut), pool.width(*cut).unwrap_or(0)))
            }).collect();
            eprintln!("run {} of {} frames, level {}: {}", self.runs, given.len(), self.prover.level(), out.join(" "));
        }
        self.cuts = kept;
        None
    }

    fn broken(
        &self,
        pool: &mut Pool,
        part: &System,
        minimal: &PartialWitness,
        given: &[Assignment],
        exact: &[TermMap<Value>],
    ) -> TermSet {
        let how = knob("CUT_REFINE");
        let mut cut_of = TermMap::new();
        for &(cut, symbol) in &self.cuts {
            cut_of.insert(symbol, cut);
        }
        let mut next_of = TermMap::new();
        for state in &part.states {
            next_of.insert(state.term, (state.init, state.next.expect("normal form")));
        }
        let mut images = Rebuild::new();
        self.cuts.iter().for_each(|&(cut, symbol)| images.set(cut, symbol));
        let mut local: Vec<(usize, Term)> = vec![];
        let mut differing: Vec<(usize, Term)> = vec![];
        let mut valuations: Vec<Valuation> = given.iter().map(|_| Valuation::new()).collect();
        for (number, frame) in minimal.frames.iter().enumerate() {
            for (input, partial) in &frame.inputs {
                let symbol = self.system.inputs[*input].term;
                let Some(&cut) = cut_of.get(symbol) else { continue };
                let sort = pool.sort(cut);
                let admits = |pool: &Pool, value: &Value| partial.admits(pool.sorts(), sort, value);
                if cut == symbol && number == 0 && next_of.get(symbol).expect("a state").0.is_none() {
                    continue;
                }
                let own = exact[number].get(cut).expect("it was noted");
                if !admits(pool, own) {
                    differing.push((number, cut));
                }
                let value = if cut == symbol {
                    let &(init, next) = next_of.get(symbol).expect("a state");
                    if number == 0 {
                        bivalve::terms::eval(pool, init.expect("it has one"), &Assignment::new())
                    } else {
                        let next = images.apply(pool, next, || true, |_, _, _| None).expect("nothing stops");
                        valuations[number - 1].eval(pool, &given[number - 1], next).clone()
                    }
                } else {
                    let args: Vec<Term> = pool.args(cut).to_vec();
                    let args: Vec<Term> = args
                        .into_iter()
                        .map(|arg| images.apply(pool, arg, || true, |_, _, _| None).expect("nothing stops"))
                        .collect();
                    let term = pool.rebuild(cut, &args);
                    valuations[number].eval(pool, &given[number], term).clone()
                };
                if !admits(pool, &value) {
                    local.push((number, cut));
                }
            }
        }
        let mut broken = TermSet::new();
        let mut take = |list: &[(usize, Term)], frame: usize| {
            list.iter().filter(|(at, _)| *at == frame).for_each(|&(_, cut)| {
                broken.insert(cut);
            });
        };
        match &*how {
            "first" => take(&differing, differing.iter().map(|d| d.0).min().unwrap_or(0)),
            "all" => (0..given.len()).for_each(|f| take(&differing, f)),
            "localall" if !local.is_empty() => (0..given.len()).for_each(|f| take(&local, f)),
            _ if !local.is_empty() => take(&local, local.iter().map(|d| d.0).max().unwrap_or(0)),
            _ => take(&differing, differing.iter().map(|d| d.0).min().unwrap_or(0)),
        }
        broken
    }
}

fn bits(pool: &Pool, system: &System) -> u32 {
    system.states.iter().map(|state| pool.width(state.term).unwrap_or(1)).sum()
}

fn narrowed(pool: &mut Pool, system: &System) -> Option<(System, TermMap<Image>)> {
    if knob("CUT_NARROW").is_empty() {
        return None;
    }
    let symbols: Vec<Term> = system.symbols().collect();
    let (narrow, images) = slices::narrowed(pool, system, &symbols)?;
    let mut map = TermMap::new();
    for (symbol, image) in symbols.into_iter().zip(images) {
        map.insert(symbol, image);
    }
    Some((narrow, map))
}

/// Terms that bar wide words from becoming narrow.
fn barring(pool: &Pool, system: &System, least: u32) -> Vec<Term> {
    let terms = cone(pool, &system.terms());
    let values = system.states.iter().flat_map(|state| [state.init, state.next]).flatten();
    let lasting: Vec<Term> = values.chain(system.constraints.iter().map(|c| c.term)).collect();
    let lasting = cone(pool, &lasting);
    let mut in_lasting = TermSet::new();
    lasting.iter().for_each(|&t| {
        in_lasting.insert(t);
    });
    let words = slices::Words::new(pool, system, &terms);
    terms.iter().copied().filter(|&term| {
        let args = pool.args(term);
        let is_wide = |t: Term| pool.sort(t).is_bitvec() && pool.width(t).unwrap_or(1) >= least;
        if !(is_wide(term) || args.iter().any(|&a| is_wide(a))) {
            return false;
        }
        match pool.op(term) {
            Op::Symbol | Op::Const | Op::Ite | Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNand | Op::BvNor | Op::BvXnor | Op::ConstArray | Op::Select | Op::Store => false,
            Op::Eq | Op::BvComp => in_lasting.contains(term),
            Op::Extract | Op::Concat | Op::ZeroExtend | Op::SignExtend | Op::Repeat if knob("CUT_WIRE").is_empty() => false,
            _ => !words.masks.contains(term) && !words.is_part.contains(term),
        }
    }).collect()
}

fn usable(pool: &Pool, predicates: &[Term], system: &System) -> Vec<Term> {
    let mut states = TermSet::new();
    system.states.iter().for_each(|state| {
        states.insert(state.term);
    });
    let is_over_states = |term: &Term| pool.op(*term) != Op::Symbol || states.contains(*term);
    let usable = |predicate: &&Term| cone(pool, &[**predicate]).iter().all(is_over_states);
    predicates.iter().filter(usable).copied().collect()
}

/// The system with cuts, the part that matters.
fn build(pool: &mut Pool, part: &System, cuts: &[(Term, Term)]) -> (Rebuild, System) {
    let mut images = Rebuild::new();
    let mut cut_states = TermSet::new();
    let mut system = part.clone();
    for &(cut, symbol) in cuts {
        images.set(cut, symbol);
        if cut == symbol {
            cut_states.insert(cut);
        }
        system.inputs.push(Input { term: symbol, name: None });
    }
    system.states.retain(|state| !cut_states.contains(state.term));
    system.map_terms(|term| images.apply(pool, term, || true, |_, _, _| None).expect("nothing stops"));
    let bads = system.bads.clone();
    let system = cone_of_influence(pool, &system, bads);
    (images, system)
}

impl Prover for Cuts {
    fn level(&self) -> usize {
        self.prover.level()
    }

    fn bytes(&self) -> u64 {
        self.prover.bytes()
    }

    fn step(&mut self, pool: &mut Pool, system: &System) -> Search {
        let worked = self.narrow.as_ref().map_or(&self.system, |narrow| &narrow.0);
        let run = match self.prover.step(pool, worked) {
            Search::Violated(run) => run,
            Search::Invariant(clauses) => {
                if !knob("CUT_LOG").is_empty() {
                    eprintln!("invariant after {} runs, {} cuts left, {} of {} states", self.runs, self.cuts.len(), self.system.states.len(), system.states.len());
                }
                if self.narrow.is_some() {
                    println!("PROVED by narrow words");
                    return Search::Paused(Why::Incomplete("prototype"));
                }
                return Search::Invariant(clauses);
            }
            other => return other,
        };
        self.runs += 1;
        let run = match &self.narrow {
            None => run,
            Some((narrow, images)) => {
                let image = |symbol: Term| images.get(symbol).expect("a symbol").clone();
                trace::of_part(pool, &self.system, image, narrow, |_, term| term, run).expect("it replays")
            }
        };
        if let Some(run) = self.look_at(pool, system, run) {
            return Search::Violated(run);
        }
        let terms = pool.len();
        let (images, abstracted) = build(pool, system, &self.cuts);
        let narrow = narrowed(pool, &abstracted);
        let worked = narrow.as_ref().map_or(&abstracted, |narrow| &narrow.0);
        if !knob("CUT_LOG").is_empty() {
            eprintln!("bits: {} of {}", bits(pool, worked), bits(pool, system));
        }
        let predicates = usable(pool, &self.predicates, worked);
        match Ic3::new(pool, worked, worked.bads[0].term, &predicates, &self.grant) {
            Err(why) => Search::Paused(why),
            Ok(mut prover) => {
                if self.narrow.is_none() && narrow.is_none() && knob("CUT_ANEW").is_empty() {
                    prover.inherit(&self.prover);
                }
                (self.prover, self.images, self.system, self.narrow) = (prover, images, abstracted, narrow);
                self.grant.pace.charge((pool.len() - terms) as u64 / TERMS);
                Search::Level
            }
        }
    }
}

#[allow(dead_code)]
fn unused(partial: &Partial) -> &Partial {
    partial
}

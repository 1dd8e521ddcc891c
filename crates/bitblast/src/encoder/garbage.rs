//! When to start again: garbage, and how much of it is tolerated.
//!
//! A variable of the SAT solver is *live* if its gate lies at or below something that is asserted, assumed by
//! the last check, or mentioned by a lemma that is in use; else it is garbage. Gates that never got a
//! variable cost no search, so they are no garbage.
//!
//! Everything is started again when the garbage outweighs the live part twice. A restart then costs less than
//! what was encoded since the last one, so restarts cost a constant factor, as long as what was dropped stays
//! away. The live part is looked for when there could be so much garbage and the number of variables has
//! grown by a quarter, so looking costs a constant factor, too. A term that comes back after a restart,
//! because an assumption returns or a level is pushed again, is counted against the policy: the variables
//! that have come back altogether are tolerated as garbage from then on. So a session that goes round in a
//! circle soon keeps the whole circle.
//!
//! Gates without variables take memory only. They are dropped when there are eight times as many as live
//! gates, and as gates after the last restart.
//!
//! Cost: a walk over the graph whenever it has grown by a quarter; a bit or two a term.

use super::Encoder;
use crate::blaster::BitBlaster;
use crate::cnf::CnfEncoder;
use crate::edge::Edge;
use bivalve_terms::{Term, TermSet};

/// Variables, or variables and gates, before which no garbage is looked for.
const LEAST: u64 = 1024;

/// So many times as much garbage as there are live variables is tolerated.
const TOLERATED: u64 = 2;

/// So many times as many gates without variables as live gates are tolerated.
const TOLERATED_GATES: u64 = 8;

/// The policy of restarts.
pub(super) struct Garbage {
    least: u64,
    /// The variables and the gates at which the live part is looked for next.
    next_look: [u64; 2],
    /// The gates there were when everything live was encoded after the last restart.
    gates: u64,
    /// Terms that levels or assumptions have brought since the last restart.
    roots: TermSet,
    /// The same of the time before it, as far as they have not come back.
    dropped: TermSet,
    /// The variables of terms that have come back after a restart.
    returned: u64,
}

/// Sizes of what is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) variables: u64,
    pub(super) gates: u64,
}

impl Default for Garbage {
    fn default() -> Garbage {
        Garbage {
            least: LEAST,
            next_look: [0; 2],
            gates: 0,
            roots: TermSet::default(),
            dropped: TermSet::default(),
            returned: 0,
        }
    }
}

impl Garbage {
    /// Sets the number of variables, or of gates, before which nothing is done.
    pub(super) fn set_least(&mut self, least: u64) {
        self.least = least;
    }

    /// Forgets which terms there were.
    pub(super) fn forget_terms(&mut self) {
        self.roots.clear();
        self.dropped.clear();
    }

    /// A term that may become garbage was encoded, with so many new variables.
    pub(super) fn note_root(&mut self, term: Term, variables: u64) {
        self.roots.insert(term);
        if self.dropped.remove(term) {
            self.returned += variables;
        }
    }

    /// Everything is dropped but these terms.
    fn drop_all_but(&mut self, kept: impl Iterator<Item = Term>) {
        for term in std::mem::take(&mut self.roots).iter() {
            self.dropped.insert(term);
        }
        for term in kept {
            self.dropped.remove(term);
            self.roots.insert(term);
        }
    }

    /// Everything live was encoded again.
    pub(super) fn restarted(&mut self, size: Size) {
        self.gates = size.gates;
        self.next_look = [(1 + TOLERATED) * size.variables, 2 * size.gates];
    }

    /// Has so much been built since the last look that the live part has to be looked for?
    fn is_due(&self, size: Size) -> bool {
        let [variables, gates] = self.next_look;
        size.variables >= variables.max(self.least) || size.gates >= gates.max(TOLERATED_GATES * self.least)
    }

    /// Is there more garbage than is tolerated?
    fn is_too_much(&mut self, size: Size, live: Size) -> bool {
        let tolerated = TOLERATED * live.variables + self.returned;
        let next = (size.variables + size.variables / 4).max(live.variables + tolerated);
        self.next_look = [next, size.gates + size.gates / 4];
        let garbage = size.variables.saturating_sub(live.variables);
        let unencoded = size.gates.saturating_sub(size.variables);
        garbage > tolerated && size.variables >= self.least
            || unencoded > TOLERATED_GATES * live.gates.max(self.gates).max(self.least)
    }
}

impl Encoder {
    /// Drops gates and clauses if most of them are garbage, or if the answers call for another kind of SAT
    /// solver (`habit.rs`); what is live is encoded again by
    /// [`Encoder::begin_check`]. To be called between two checks. Lemmas stay if `is_used` holds for all of
    /// their terms. Returns whether anything was dropped.
    pub fn collect_garbage(&mut self, is_used: &dyn Fn(Term) -> bool) -> bool {
        let conflicts = self.conflicts();
        if self.habit.changes(conflicts) {
            self.totals.rebuilds += 1;
            self.restart(is_used);
            return true;
        }
        let size = self.size();
        if !self.garbage.is_due(size) {
            return false;
        }
        let live = self.live_size(is_used);
        let is_too_much = self.garbage.is_too_much(size, live);
        if is_too_much {
            self.totals.rebuilds += 1;
            self.restart(is_used);
        }
        is_too_much
    }

    /// Drops gates and clauses; all terms of levels, and the lemmas whose terms are in use, have to be
    /// encoded again.
    pub(super) fn restart(&mut self, is_used: &dyn Fn(Term) -> bool) {
        let sat = self.backend.take().map(|backend| backend.statistics());
        self.totals.add(self.blaster.graph(), self.cnf.statistics(), sat);
        self.blaster = BitBlaster::with_element_bits(self.blaster.element_bits());
        self.cnf = CnfEncoder::stopped_by(&self.stop);
        self.comparing.restart(self.totals.conflicts());
        for level in &mut self.levels {
            level.encoded = 0;
            level.direct.clear();
            level.activation = None;
        }
        self.lemmas.restart(is_used);
        self.garbage.drop_all_but(self.levels[1..].iter().flat_map(|level| level.asserted.iter().copied()));
        self.is_pending = true;
    }

    /// The size of what is there now.
    pub(super) fn size(&self) -> Size {
        let made = self.backend.as_ref().map_or(0, |backend| backend.statistics().variables);
        // A SAT solver need not count.
        let variables = made.max(self.cnf.statistics().variables);
        Size { variables, gates: self.blaster.graph().len() as u64 }
    }

    /// The size of what is live.
    pub(super) fn live_size(&self, is_used: &dyn Fn(Term) -> bool) -> Size {
        let cone = self.blaster.graph().below(self.live_roots(is_used));
        let live = (0..).zip(cone).filter(|&(_, is_live)| is_live).map(|(node, _)| node);
        let (mut variables, mut gates) = (0, 0);
        for node in live {
            gates += 1;
            variables += u64::from(self.cnf.lookup(Edge::positive(node)).is_some());
        }
        variables += self.levels.iter().filter(|level| level.activation.is_some()).count() as u64;
        Size { variables, gates }
    }

    /// The edges of everything that is asserted, of the literals that were asked for since the check began,
    /// and of the lemmas for whose terms `is_used` holds.
    pub fn live_roots(&self, is_used: &dyn Fn(Term) -> bool) -> Vec<Edge> {
        let asserted = self.levels.iter().flat_map(|level| level.asserted.iter().copied());
        let terms = asserted.chain(self.assumed.iter().copied()).chain(self.lemmas.in_use(is_used));
        terms.filter_map(|term| self.blaster.known_roots(term)).flatten().copied().collect()
    }

    /// The leaves of which some bit is at or below these edges, in the order in which they were made.
    pub fn leaves_below(&self, roots: &[Edge]) -> Vec<Term> {
        let live = self.blaster.graph().below(roots.iter().copied());
        let inputs = |leaf| self.blaster.inputs_of(leaf).expect("a leaf has inputs");
        self.blaster.leaves().filter(|&leaf| inputs(leaf).iter().any(|bit| live[bit.index()])).collect()
    }
}

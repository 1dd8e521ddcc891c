//! Two queues that never differ, in any width and size: the case study of Boolector's model checker.
//!
//! Appendix A.5.1 of Brummayer's thesis (2009), with its rules for every register, as its formulas
//! `fifo32bc04k05` and others have them. Each queue has a memory, `head`, `tail`, `full`, `empty` and
//! `data_out`; inputs are `reset` (active low), `enqueue`, `dequeue` and `data_in`. The *stack* keeps its
//! first entry at 0 and moves all entries down when one leaves; the *queue* moves `head`. Reset is active in
//! the first frame alone, and outputs are compared in all others. Both leave one place of the memory free.
//!
//! Why it is hard for induction: most pairs of states that no run reaches take long to differ.

use bivalve_systems::{Input, Property, State, System};
use bivalve_terms::{Op, Pool, Sort, SortError, Term};

/// The two queues, of words of `width` bits, over memories with `address_bits` address bits.
///
/// # Errors
///
/// When words have no such width; unless there are 2 to 16 address bits: the stack moves every place.
pub fn equivalence(width: u32, address_bits: u32) -> Result<(Pool, System), SortError> {
    if !(2..=16).contains(&address_bits) {
        return Err(SortError::NoSort {
            problem: format!("expected 2 to 16 address bits, found {address_bits}"),
        });
    }
    let mut pool = Pool::new();
    let (word, address) = (Sort::bitvec(width)?, Sort::bitvec(address_bits)?);
    let memory = pool.sorts_mut().array(address, word)?;
    let mut input = |name: &str, sort| pool.symbol(name, sort);
    let [reset, enqueue, dequeue] = ["reset", "enqueue", "dequeue"].map(|name| input(name, Sort::BOOL));
    let data_in = input("data_in", word);
    let one_of_both = pool.mk(Op::Xor, &[enqueue, dequeue]);
    let mut design = Design {
        pool,
        system: System::default(),
        inputs: Inputs { reset, enqueue, data_in, one_of_both },
        word,
        address,
        memory,
    };
    for symbol in [reset, enqueue, dequeue, data_in] {
        let name = design.pool.name(symbol).map(str::to_owned);
        design.system.inputs.push(Input { term: symbol, name });
    }
    let stack = design.registers("stack");
    design.stack(&stack);
    let queue = design.registers("queue");
    design.queue(&queue);
    design.compare(&stack, &queue);
    Ok((design.pool, design.system))
}

/// What both queues see.
struct Inputs {
    reset: Term,
    enqueue: Term,
    data_in: Term,
    /// One of `enqueue` and `dequeue` is active; with none or both nothing happens.
    one_of_both: Term,
}

/// The registers of a queue.
struct Registers {
    head: Term,
    tail: Term,
    full: Term,
    empty: Term,
    data_out: Term,
    memory: Term,
}

struct Design {
    pool: Pool,
    system: System,
    inputs: Inputs,
    word: Sort,
    address: Sort,
    memory: Sort,
}

impl Design {
    /// Registers begin with zero, memories with anything.
    fn registers(&mut self, queue: &str) -> Registers {
        let [no, zero, nothing] = [self.pool.bool(false), self.address(0), self.zero(self.word)];
        let (word, address, memory) = (self.word, self.address, self.memory);
        let mut state = |register: &str, sort, init| {
            let name = format!("{queue}.{register}");
            let term = self.pool.symbol(&name, sort);
            self.system.states.push(State { term, init, next: None, name: Some(name) });
            term
        };
        Registers {
            head: state("head", address, Some(zero)),
            tail: state("tail", address, Some(zero)),
            full: state("full", Sort::BOOL, Some(no)),
            empty: state("empty", Sort::BOOL, Some(no)),
            data_out: state("data_out", word, Some(nothing)),
            memory: state("memory", memory, None),
        }
    }

    fn zero(&mut self, sort: Sort) -> Term {
        self.pool.bv_u64(0, sort.width().unwrap_or(1))
    }

    fn address(&mut self, number: u64) -> Term {
        self.pool.bv_u64(number, self.address.width().unwrap_or(1))
    }

    fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.pool.mk(Op::Ite, &[condition, then, otherwise])
    }

    fn is(&mut self, term: Term, other: Term) -> Term {
        self.pool.mk(Op::Eq, &[term, other])
    }

    fn plus(&mut self, term: Term, number: u64) -> Term {
        let number = self.address(number);
        self.pool.mk(Op::BvAdd, &[term, number])
    }

    /// Gives a register its next value: `entering` or `leaving` by what happens, `reset` when that is active.
    fn next(&mut self, register: Term, entering: Term, leaving: Term, reset: Term) {
        let Inputs { enqueue, one_of_both, reset: inactive, .. } = self.inputs;
        let moved = self.ite(enqueue, entering, leaving);
        let moved = self.ite(one_of_both, moved, register);
        let next = self.ite(inactive, moved, reset);
        let states = &mut self.system.states;
        states.iter_mut().filter(|state| state.term == register).for_each(|state| state.next = Some(next));
    }

    /// `full` and `empty`: an entry that enters may be the last that has room, one that leaves the last one.
    fn flags(&mut self, queue: &Registers, is_last_room: Term, is_last_entry: Term) {
        let (yes, no) = (self.pool.bool(true), self.pool.bool(false));
        let full = self.ite(is_last_room, yes, queue.full);
        self.next(queue.full, full, no, no);
        let empty = self.ite(is_last_entry, yes, queue.empty);
        self.next(queue.empty, no, empty, yes);
    }

    /// What leaves is shown.
    fn show(&mut self, queue: &Registers) {
        let first = self.pool.mk(Op::Select, &[queue.memory, queue.head]);
        let shown = self.ite(queue.empty, queue.data_out, first);
        self.next(queue.data_out, queue.data_out, shown, queue.data_out);
    }

    /// The memory after an entry.
    fn written(&mut self, queue: &Registers) -> Term {
        let written = self.pool.mk(Op::Store, &[queue.memory, queue.tail, self.inputs.data_in]);
        self.ite(queue.full, queue.memory, written)
    }

    /// The tail after an entry.
    fn advanced(&mut self, queue: &Registers) -> Term {
        let advanced = self.plus(queue.tail, 1);
        self.ite(queue.full, queue.tail, advanced)
    }

    fn stack(&mut self, stack: &Registers) {
        let places = 1 << self.address.width().unwrap_or(1);
        let zero = self.address(0);
        self.next(stack.head, zero, zero, zero);
        let entering = self.advanced(stack);
        let less = self.plus(stack.tail, places - 1);
        let leaving = self.ite(stack.empty, stack.tail, less);
        self.next(stack.tail, entering, leaving, zero);
        let (one, last) = (self.address(1), self.address(places - 2));
        let (is_last_room, is_last_entry) = (self.is(stack.tail, last), self.is(stack.tail, one));
        self.flags(stack, is_last_room, is_last_entry);
        self.show(stack);
        let written = self.written(stack);
        let mut moved = stack.memory;
        for place in 0..places - 2 {
            let (to, from) = (self.address(place), self.address(place + 1));
            let entry = self.pool.mk(Op::Select, &[stack.memory, from]);
            moved = self.pool.mk(Op::Store, &[moved, to, entry]);
        }
        self.next(stack.memory, written, moved, stack.memory);
    }

    fn queue(&mut self, queue: &Registers) {
        let zero = self.address(0);
        let after = self.plus(queue.head, 1);
        let leaving = self.ite(queue.empty, queue.head, after);
        self.next(queue.head, queue.head, leaving, zero);
        let entering = self.advanced(queue);
        self.next(queue.tail, entering, queue.tail, zero);
        let beyond = self.plus(queue.tail, 2);
        let (is_last_room, is_last_entry) = (self.is(beyond, queue.head), self.is(after, queue.tail));
        self.flags(queue, is_last_room, is_last_entry);
        self.show(queue);
        let written = self.written(queue);
        self.next(queue.memory, written, queue.memory, queue.memory);
    }

    /// The bad state, and when there is a reset.
    fn compare(&mut self, stack: &Registers, queue: &Registers) {
        let (yes, no) = (self.pool.bool(true), self.pool.bool(false));
        let later = self.pool.symbol("later", Sort::BOOL);
        let name = Some("later".to_owned());
        self.system.states.push(State { term: later, init: Some(no), next: Some(yes), name });
        let inactive = self.inputs.reset;
        let once = self.is(inactive, later);
        self.system.constraints.push(Property { term: once, name: Some("reset_once".to_owned()) });
        let outputs =
            [(stack.full, queue.full), (stack.empty, queue.empty), (stack.data_out, queue.data_out)];
        let equal = outputs.map(|(one, other)| self.is(one, other));
        let equal = self.pool.mk(Op::And, &equal);
        let differ = self.pool.mk(Op::Not, &[equal]);
        let bad = self.pool.mk(Op::And, &[inactive, differ]);
        self.system.bads.push(Property { term: bad, name: Some("outputs_differ".to_owned()) });
    }
}

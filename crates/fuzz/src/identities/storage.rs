//! Storage: an array of words, read and written at hashes of slots and keys.
//!
//! The hash is an uninterpreted function from two words to one, of which nothing is known but that it has no
//! collisions: an assertion for each pair of places, as the tools write it.

use super::maker::{Claim, Maker, Statement};
use super::{Identity, identity};
use bivalve_terms::{Expr, Sort};

pub(super) const TABLE: &[Identity] = &[
    identity("mapping", 4, "a mapping in storage, written and read at two keys", mapping),
    identity("transfer", 3, "balances in storage before and after a transfer", transfer),
    identity("packed-storage", 2, "fields of words of a mapping in storage", packed_storage),
];

/// Storage with a hash.
struct Storage {
    memory: Expr,
    hash: Expr,
    /// What was hashed, and its hash.
    places: Vec<(Expr, Expr)>,
}

impl Storage {
    fn new(m: &Maker) -> Storage {
        let two_words = Sort::bitvec(2 * m.width).expect("widths are checked before");
        Storage {
            memory: m.context().array_symbol("storage", m.width, m.width),
            hash: m.context().function("keccak", &[two_words], m.sort()),
            places: vec![],
        }
    }

    /// The place of a key in the mapping of a slot.
    fn place(&mut self, key: &Expr, slot: &Expr) -> Expr {
        let data = key.concat(slot);
        let place = self.hash.apply([&data]);
        self.places.push((data, place.clone()));
        place
    }

    /// No two places are the same unless the same was hashed.
    fn injective(&self) -> Vec<Expr> {
        let mut pairs = vec![];
        for (i, (data, place)) in self.places.iter().enumerate() {
            for (other_data, other) in &self.places[..i] {
                pairs.push(place.equals(other).implies(data.equals(other_data)));
            }
        }
        pairs
    }

    /// The conclusion holds with all of these conditions, and does not without the last one.
    fn claim<const N: usize>(&self, conditions: [Expr; N], then: &Expr) -> Claim {
        let given = [self.injective(), conditions.to_vec()].concat();
        let fewer = given[..given.len() - 1].to_vec();
        Claim {
            holds: Statement { given, then: then.clone() },
            fails: Statement { given: fewer, then: then.clone() },
        }
    }
}

fn mapping(m: &mut Maker) -> Claim {
    let [k, l, v, u] = m.words(["k", "l", "v", "u"]);
    let mut storage = Storage::new(m);
    let first = m.between_words(0, 7);
    let second = m.word("slot");
    match m.form {
        0 => {
            let (here, there) = (storage.place(&k, &first), storage.place(&l, &first));
            let after = storage.memory.store(&here, &v).store(&there, &u);
            storage.claim([k.distinct(&l)], &after.select(&here).equals(&v))
        }
        1 => {
            let (here, there) = (storage.place(&k, &first), storage.place(&k, &second));
            let after = storage.memory.store(&here, &v).store(&there, &u);
            storage.claim([second.distinct(&first)], &after.select(&here).equals(&v))
        }
        2 => {
            // A mapping of mappings.
            let (outer, other) = (storage.place(&k, &first), storage.place(&l, &first));
            let (here, there) = (storage.place(&u, &outer), storage.place(&u, &other));
            let after = storage.memory.store(&there, &v);
            storage.claim([k.distinct(&l)], &after.select(&here).equals(storage.memory.select(&here)))
        }
        _ => {
            // Writes in another order.
            let (here, there) = (storage.place(&k, &first), storage.place(&l, &first));
            let one = storage.memory.store(&here, &v).store(&there, &u);
            let other = storage.memory.store(&there, &u).store(&here, &v);
            let read = storage.place(&m.word("key"), &first);
            storage.claim([k.distinct(&l)], &one.select(&read).equals(other.select(&read)))
        }
    }
}

fn transfer(m: &mut Maker) -> Claim {
    let ([from, to, amount, supply], slot) =
        (m.words(["from", "to", "amount", "supply"]), m.between_words(0, 7));
    let mut storage = Storage::new(m);
    let (payer, payee) = (storage.place(&from, &slot), storage.place(&to, &slot));
    let before = [storage.memory.select(&payer), storage.memory.select(&payee)];
    let paid = storage.memory.store(&payer, &before[0] - &amount);
    // Read before the payment, the balance of an account that pays itself is too high afterwards.
    let received = if m.form == 0 { &before[1] + &amount } else { paid.select(&payee) + &amount };
    let memory = paid.store(&payee, &received);
    let after = [memory.select(&payer), memory.select(&payee)];
    let (differ, is_covered) = (from.distinct(&to), amount.ule(&before[0]));
    let total = &before[0] + &before[1];
    match m.form {
        0 => storage.claim([is_covered, differ], &(&after[0] + &after[1]).equals(total)),
        1 => {
            let fits = total.uge(&before[0]) & total.ule(&supply);
            let then = after[0].ule(&supply) & after[1].ule(&supply);
            storage.claim([differ, is_covered, fits], &then)
        }
        _ => {
            // Another account is not touched.
            let other = m.word("other");
            let account = storage.place(&other, &slot);
            let then = memory.select(&account).equals(storage.memory.select(&account));
            storage.claim([other.distinct(&from), other.distinct(&to)], &then)
        }
    }
}

fn packed_storage(m: &mut Maker) -> Claim {
    let ([k, l, v], slot) = (m.words(["k", "l", "v"]), m.between_words(0, 7));
    let mut storage = Storage::new(m);
    let (here, there) = (storage.place(&k, &slot), storage.place(&l, &slot));
    let (low, size) = (m.byte() * m.between(0, m.bytes() / 2), m.byte() * m.between(1, m.bytes() / 2 - 1));
    let mask = m.mask(size);
    let old = storage.memory.select(&here);
    let new = (&old & !(&mask << low)) | ((&v & &mask) << low);
    let memory = storage.memory.store(&here, &new);
    let read = |place: &Expr| memory.select(place).lshr(low) & &mask;
    match m.form {
        0 => {
            let kept = storage.memory.select(&there).lshr(low) & &mask;
            storage.claim([k.distinct(&l)], &read(&there).equals(kept))
        }
        _ => storage.claim([k.equals(&l)], &read(&there).equals(&v & &mask)),
    }
}

//! Which arguments each operator accepts, and what the pool says to those it refuses.
//!
//! The first test tries every operator on every list of up to four arguments over a palette of sorts, and on
//! indices at the borders, against a predicate written from the signatures in the theories of SMT-LIB. The
//! match in [`signature`] fails for an operator without its signature here. The
//! second test keeps the wording of refusals: users read these sentences, so a change is to be seen in a
//! review.

use bivalve_terms::float::Format;
use bivalve_terms::{BitVec, Constructor, Op, Pool, Sort, SortKind, Term, Theory, TheorySort};

/// The sorts of the palette, each by a symbol.
struct Palette {
    pool: Pool,
    symbols: Vec<Term>,
}

impl Palette {
    fn new() -> Palette {
        let mut pool = Pool::new();
        let [one, four, five] = [1, 4, 5].map(|width| Sort::bitvec(width).expect("a legal width"));
        let declared = pool.sorts_mut().declare("S");
        let array = pool.sorts_mut().array(four, Sort::BOOL).expect("not deep");
        let nested = pool.sorts_mut().array(declared, array).expect("not deep");
        let unary = pool.sorts_mut().function(&[four], five).expect("a first-order sort");
        let binary = pool.sorts_mut().function(&[declared, array], Sort::BOOL).expect("a first-order sort");
        let [mode, real] = [TheorySort::RoundingMode, TheorySort::Real].map(|s| pool.sorts_mut().theory(s));
        let float = pool.float_sort(Format::new(2, 3).expect("a legal format"));
        let constructor = |name: &str, fields| Constructor { name: name.into(), fields, is_ambiguous: false };
        let parts = vec![constructor("none", vec![]), constructor("some", vec![("value".into(), four)])];
        let record = pool.sorts_mut().record("Option", parts).expect("a small record");
        let plain = [Sort::BOOL, one, four, five, declared, array, nested, unary, binary, Sort::INT];
        let sorts = plain.into_iter().chain([mode, real, float, record]);
        let symbols = sorts.map(|sort| pool.symbol("x", sort)).collect();
        Palette { pool, symbols }
    }

    /// Every list of `count` sorts.
    fn lists(&self, count: u32) -> impl Iterator<Item = Vec<Term>> {
        let symbols = &self.symbols;
        let all = symbols.len();
        (0..all.pow(count)).map(move |code| (0..count).map(|i| symbols[code / all.pow(i) % all]).collect())
    }
}

/// The sort of an application by the signatures of the theories; `None` where there is none.
fn signature(pool: &Pool, op: Op, indices: &[u32], sorts: &[Sort]) -> Option<Sort> {
    let widths: Vec<u64> = sorts.iter().map(|sort| u64::from(sort.width().unwrap_or(0))).collect();
    let bits = |width: u64| u32::try_from(width).ok().and_then(|width| Sort::bitvec(width).ok());
    let alike = sorts.windows(2).all(|pair| pair[0] == pair[1]);
    let vectors = widths.iter().all(|&width| width > 0);
    let ordinary = sorts.iter().all(|&sort| !matches!(pool.sorts().kind(sort), SortKind::Function { .. }));
    let integers = sorts.iter().all(|sort| sort.is_int());
    let array = |sort: Sort| match pool.sorts().kind(sort) {
        SortKind::Array { index, element } => Some((index, element)),
        _ => None,
    };
    let when = |condition: bool, sort: Sort| condition.then_some(sort);
    let (n, plain) = (sorts.len(), indices.is_empty());
    match op {
        Op::Const | Op::Symbol | Op::ConstArray => None,
        Op::Apply => match (pool.sorts().kind(*sorts.first()?), plain) {
            (SortKind::Function { params, result }, true) => when(*params == sorts[1..], result),
            _ => None,
        },
        Op::Not => when(plain && n == 1 && sorts[0].is_bool(), Sort::BOOL),
        Op::Implies | Op::And | Op::Or | Op::Xor => {
            when(plain && n >= 2 && sorts.iter().all(|sort| sort.is_bool()), Sort::BOOL)
        }
        Op::Eq | Op::Distinct => when(plain && n >= 2 && alike && ordinary, Sort::BOOL),
        Op::Ite => {
            when(plain && n == 3 && sorts[0].is_bool() && sorts[1] == sorts[2] && ordinary, *sorts.get(1)?)
        }
        Op::Select if n == 2 && plain => {
            let (index, element) = array(sorts[0])?;
            when(sorts[1] == index, element)
        }
        Op::Store if n == 3 && plain => {
            let (index, element) = array(sorts[0])?;
            when(sorts[1] == index && sorts[2] == element, sorts[0])
        }
        Op::Select | Op::Store => None,
        Op::Concat => bits(widths.iter().sum()).filter(|_| plain && n >= 2 && vectors),
        Op::Extract => match (indices, &widths[..]) {
            (&[hi, lo], &[width]) if u64::from(hi) < width && lo <= hi => bits(u64::from(hi - lo) + 1),
            _ => None,
        },
        Op::Repeat => match (indices, &widths[..]) {
            (&[times], &[width]) => bits(width * u64::from(times)),
            _ => None,
        },
        Op::ZeroExtend | Op::SignExtend => match (indices, &widths[..]) {
            (&[by], &[width]) if width > 0 => bits(width + u64::from(by)),
            _ => None,
        },
        Op::RotateLeft | Op::RotateRight => when(indices.len() == 1 && n == 1 && vectors, *sorts.first()?),
        Op::BvNot | Op::BvNeg => when(plain && n == 1 && vectors, *sorts.first()?),
        Op::RedAnd | Op::RedOr | Op::RedXor => bits(1).filter(|_| plain && n == 1 && vectors),
        Op::BvNego => when(plain && n == 1 && vectors, Sort::BOOL),
        Op::BvComp => bits(1).filter(|_| plain && n == 2 && alike && vectors),
        Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvXnor | Op::BvAdd | Op::BvSub | Op::BvMul => {
            when(plain && n >= 2 && alike && vectors, *sorts.first()?)
        }
        Op::ExtRotateLeft
        | Op::ExtRotateRight
        | Op::BvNand
        | Op::BvNor
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr => when(plain && n == 2 && alike && vectors, *sorts.first()?),
        Op::BvUlt
        | Op::BvUle
        | Op::BvUgt
        | Op::BvUge
        | Op::BvSlt
        | Op::BvSle
        | Op::BvSgt
        | Op::BvSge
        | Op::BvUaddo
        | Op::BvSaddo
        | Op::BvUmulo
        | Op::BvSmulo
        | Op::BvUsubo
        | Op::BvSsubo
        | Op::BvSdivo
        | Op::BvUdivo => when(plain && n == 2 && alike && vectors, Sort::BOOL),
        Op::UbvToInt | Op::SbvToInt => when(plain && n == 1 && vectors, Sort::INT),
        Op::IntToBv => match indices {
            &[width] if n == 1 && integers => bits(width.into()),
            _ => None,
        },
        Op::IntNeg | Op::IntAbs => when(plain && n == 1 && integers, Sort::INT),
        Op::IntMod => when(plain && n == 2 && integers, Sort::INT),
        Op::IntAdd | Op::IntSub | Op::IntMul | Op::IntDiv => when(plain && n >= 2 && integers, Sort::INT),
        Op::IntLt | Op::IntLe | Op::IntGt | Op::IntGe => {
            let is_real = |sort: &Sort| pool.sorts().kind(*sort) == SortKind::Theory(TheorySort::Real);
            when(plain && n >= 2 && (integers || sorts.iter().all(is_real)), Sort::BOOL)
        }
        _ => float_signature(pool, op, indices, sorts),
    }
}

/// The sorts of the symbols that were made first.
fn sorts_of(pool: &Pool) -> impl Iterator<Item = Sort> {
    (0..pool.len()).map(|i| pool.sort(pool.nth(i)))
}

/// The same for floating point, records and binders.
fn float_signature(pool: &Pool, op: Op, indices: &[u32], sorts: &[Sort]) -> Option<Sort> {
    let find = |sort: Sort, theory: TheorySort| pool.sorts().kind(sort) == SortKind::Theory(theory);
    let (n, plain) = (sorts.len(), indices.is_empty());
    let is_float = |sort: &Sort| pool.sorts().float_format(*sort).is_some();
    let floats = |sorts: &[Sort]| sorts.iter().all(is_float) && sorts.windows(2).all(|p| p[0] == p[1]);
    let has_mode = n > 0 && find(sorts[0], TheorySort::RoundingMode);
    let when = |condition: bool, sort: Sort| condition.then_some(sort);
    let made = |eb: u32, sb: u32| {
        let format = Format::new(eb.into(), sb.into()).ok()?;
        // Equal sorts are one, so a copy of the pool has it under the same number.
        let (mut copy, _) = pool.copy(&[]);
        Some(copy.float_sort(format))
    };
    let format = match indices {
        &[eb, sb] => made(eb, sb),
        _ => None,
    };
    match op {
        Op::FpFields if n == 3 && plain && sorts[0].width() == Some(1) => {
            made(sorts[1].width()?, sorts[2].width()? + 1)
        }
        Op::FpFields => None,
        Op::FpFromBits => {
            let format = format.filter(|_| n == 1)?;
            when(sorts[0].width()? == pool.sorts().float_format(format)?.width(), format)
        }
        Op::FpFromFloat => format.filter(|_| n == 2 && has_mode && is_float(&sorts[1])),
        Op::FpFromReal => format.filter(|_| n == 2 && has_mode && find(sorts[1], TheorySort::Real)),
        Op::FpFromSbv | Op::FpFromUbv => format.filter(|_| n == 2 && has_mode && sorts[1].is_bitvec()),
        Op::FpAbs | Op::FpNeg => when(plain && n == 1 && floats(sorts), *sorts.first()?),
        Op::FpRem | Op::FpMin | Op::FpMax => when(plain && n == 2 && floats(sorts), *sorts.first()?),
        Op::FpSqrt | Op::FpRoundToIntegral => {
            when(plain && n == 2 && has_mode && floats(&sorts[1..]), *sorts.get(1)?)
        }
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => {
            when(plain && n == 3 && has_mode && floats(&sorts[1..]), *sorts.get(1)?)
        }
        Op::FpFma => when(plain && n == 4 && has_mode && floats(&sorts[1..]), *sorts.get(1)?),
        // One argument more says what is open.
        Op::FpToUbv | Op::FpToSbv => match *indices {
            [width] if (n == 2 || n == 3 && sorts[2].width() == Some(width)) && has_mode => {
                Sort::bitvec(width).ok().filter(|_| is_float(&sorts[1]))
            }
            _ => None,
        },
        Op::FpToReal => {
            let is_real = |sort: Sort| find(sort, TheorySort::Real);
            let takes = n == 1 || n == 2 && is_real(sorts[1]);
            let real = sorts_of(pool).find(|&sort| is_real(sort))?;
            when(plain && takes && is_float(&sorts[0]), real)
        }
        Op::Forall => {
            let (body, variables) = sorts.split_last()?;
            let bindable = |sort: &Sort| !pool.sorts().is_function(*sort);
            when(plain && n >= 2 && body.is_bool() && variables.iter().all(bindable), Sort::BOOL)
        }
        // The palette has one record sort.
        Op::RecordNew => {
            let record = sorts_of(pool).find(|&sort| pool.sorts().as_record(sort).is_some())?;
            when(indices == [0, 1] && n == 1 && sorts[0].width() == Some(4), record)
        }
        Op::RecordIs | Op::RecordGet | Op::RecordSet => {
            pool.sorts().as_record(*sorts.first()?)?;
            let takes = |more: usize| n == 1 + more && sorts[1..].iter().all(|sort| sort.width() == Some(4));
            match op {
                Op::RecordIs => when(matches!(indices, [0 | 1]) && takes(0), Sort::BOOL),
                // One argument more says what is open.
                Op::RecordGet if matches!(indices, [0]) && (takes(0) || takes(1)) => Sort::bitvec(4).ok(),
                Op::RecordSet => when(matches!(indices, [0]) && takes(1), sorts[0]),
                _ => None,
            }
        }
        Op::FpToIeee if plain && n == 1 => Sort::bitvec(pool.sorts().float_format(sorts[0])?.width()).ok(),
        Op::FpToIeee => None,
        Op::FpLe | Op::FpLt | Op::FpGe | Op::FpGt | Op::FpEq => {
            when(plain && n >= 2 && floats(sorts), Sort::BOOL)
        }
        Op::FpIsNormal
        | Op::FpIsSubnormal
        | Op::FpIsZero
        | Op::FpIsInfinite
        | Op::FpIsNan
        | Op::FpIsNegative
        | Op::FpIsPositive => when(plain && n == 1 && floats(sorts), Sort::BOOL),
        _ => panic!("'{}' has no signature", op.name()),
    }
}

#[test]
fn an_operator_accepts_what_its_signature_says_and_nothing_else() {
    let Palette { mut pool, symbols } = Palette::new();
    let palette = Palette { pool: Pool::new(), symbols };
    let borders = [0, 1, 2, 3, 4, BitVec::MAX_WIDTH - 4, BitVec::MAX_WIDTH - 3, u32::MAX];
    let mut accepted = vec![0; Op::all().count()];
    for op in Op::all() {
        for count in 0..=4 {
            for args in palette.lists(count) {
                let sorts: Vec<Sort> = args.iter().map(|&arg| pool.sort(arg)).collect();
                // A binder binds no symbol twice; of the palette one may come again.
                let variables = args.split_last().map_or(&[][..], |(_, variables)| variables);
                let is_twice = |at: usize| op == Op::Forall && variables[..at].contains(&variables[at]);
                let repeats = (1..variables.len()).any(is_twice);
                let mut check = |indices: &[u32]| {
                    let found = pool.indexed(op, indices, &args);
                    let found = found.ok().map(|term| pool.sort(term));
                    let expected = signature(&pool, op, indices, &sorts).filter(|_| !repeats);
                    assert_eq!(found, expected, "{op:?} {indices:?} {sorts:?}");
                    accepted[op as usize] += usize::from(found.is_some());
                };
                check(&[]);
                if count == 1 || op.info().indices > 0 && count < 3 {
                    borders.iter().for_each(|&i| check(&[i]));
                    borders.iter().for_each(|&i| borders.iter().for_each(|&j| check(&[i, j])));
                    check(&[0, 0, 0]);
                }
            }
        }
    }
    for op in Op::all().filter(|op| !matches!(op, Op::Const | Op::Symbol | Op::ConstArray)) {
        assert!(accepted[op as usize] > 0, "{op:?} accepts nothing");
    }
}

#[test]
fn an_indexed_operator_has_one_argument() {
    // Nodes keep the index beside a single child. Those of floating point follow from the sort, and those of
    // records are short.
    for op in Op::all()
        .filter(|op| op.info().indices > 0 && !matches!(op.info().theory, Theory::Floats | Theory::Records))
    {
        assert!(op.info().arity.admits(1) && !op.info().arity.admits(2), "{op:?}");
    }
}

#[test]
fn constant_arrays_take_an_element_of_the_element_sort() {
    let Palette { mut pool, symbols } = Palette::new();
    let sorts: Vec<Sort> = symbols.iter().map(|&symbol| pool.sort(symbol)).collect();
    for &sort in &sorts {
        for (&element, &of) in symbols.iter().zip(&sorts) {
            let legal = pool.sorts().array_parts(sort).is_some_and(|(_, expected)| expected == of);
            let found = pool.const_array(sort, element).ok();
            assert_eq!(found.map(|term| pool.sort(term)), legal.then_some(sort));
        }
    }
}

#[test]
fn refusals_say_which_argument_is_wrong_and_why() {
    let Palette { mut pool, symbols } = Palette::new();
    let [bool, one, four, five, s, array, nested, unary, binary, ..] = symbols[..] else {
        panic!("the palette")
    };
    let mut said = String::new();
    let mut say = |indices: &[u32], op: Op, args: &[Term]| {
        let refusal = pool.indexed(op, indices, args).unwrap_err();
        said.push_str(&format!("{refusal}\n"));
    };
    say(&[], Op::Not, &[]);
    say(&[], Op::Not, &[bool, bool]);
    say(&[], Op::And, &[bool]);
    say(&[], Op::And, &[bool, four]);
    say(&[], Op::Implies, &[bool, bool, one]);
    say(&[], Op::Eq, &[four, five]);
    say(&[], Op::Eq, &[unary, unary]);
    say(&[], Op::Distinct, &[s, s, nested]);
    say(&[], Op::Ite, &[one, four, four]);
    say(&[], Op::Ite, &[bool, four, five]);
    say(&[], Op::Ite, &[bool, unary, unary]);
    say(&[], Op::Select, &[four, four]);
    say(&[], Op::Select, &[array, five]);
    say(&[], Op::Store, &[array, four, four]);
    say(&[], Op::Store, &[nested, s, bool]);
    say(&[], Op::Concat, &[four, bool]);
    say(&[], Op::Extract, &[four]);
    say(&[1], Op::Extract, &[four]);
    say(&[1, 2], Op::Extract, &[four]);
    say(&[4, 0], Op::Extract, &[four]);
    say(&[1, 0], Op::Extract, &[array]);
    say(&[0], Op::Repeat, &[four]);
    say(&[u32::MAX], Op::Repeat, &[four]);
    say(&[BitVec::MAX_WIDTH], Op::ZeroExtend, &[one]);
    say(&[1], Op::SignExtend, &[bool]);
    say(&[], Op::RotateLeft, &[four]);
    say(&[2], Op::RotateRight, &[s]);
    say(&[], Op::BvAdd, &[four, four, five]);
    say(&[], Op::BvAdd, &[bool, bool]);
    say(&[3], Op::BvNot, &[four]);
    say(&[], Op::BvUlt, &[four]);
    say(&[], Op::BvUlt, &[four, four, four]);
    say(&[], Op::BvSmulo, &[five, four]);
    say(&[], Op::BvComp, &[four, s]);
    say(&[], Op::Apply, &[four, four]);
    say(&[], Op::Apply, &[unary, five]);
    say(&[], Op::Apply, &[binary, s]);
    say(&[], Op::Apply, &[unary]);
    say(&[], Op::Const, &[]);
    say(&[], Op::ConstArray, &[bool]);
    let sorts = [pool.sort(array), pool.sort(four)];
    said.push_str(&format!("{}\n", pool.const_array(sorts[0], four).unwrap_err()));
    said.push_str(&format!("{}\n", pool.const_array(sorts[1], four).unwrap_err()));
    insta::assert_snapshot!(said);
}

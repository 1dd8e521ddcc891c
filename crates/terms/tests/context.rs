//! Expressions: operators, integers on the right, errors that are carried along, and text.
//!
//! What a method builds is compared with its text, which the printer's own tests relate to terms.

use bivalve_terms::{BitVec, Context, Problem, Sort, SortError, Value};

#[test]
fn operators_and_methods_build_what_they_say() {
    let ctx = Context::new();
    let (x, y) = (ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 8));
    let (p, q) = (ctx.bool_symbol("p"), ctx.bool_symbol("q"));
    let a = ctx.array_symbol("a", 8, 4);
    let f = ctx.function("f", &[ctx.bv_sort(8).unwrap(), Sort::BOOL], Sort::BOOL);
    let texts = [
        ((&x + &y) * 3 - 1, "(bvsub (bvmul (bvadd x y) #b00000011) #b00000001)"),
        (-&x << 2, "(bvshl (bvneg x) #b00000010)"),
        (!(&x & 0x0f) | (&x ^ &y), "(bvor (bvnot (bvand x #b00001111)) (bvxor x y))"),
        (!(&p & &q) | (&p ^ true), "(or (not (and p q)) (xor p true))"),
        (x.ult(&y).implies(x.sge(-1)), "(=> (bvult x y) (bvsge x #b11111111))"),
        (p.ite(&x, 0), "(ite p x #b00000000)"),
        (x.extract(7, 4).concat(&x), "(concat ((_ extract 7 4) x) x)"),
        (x.bit(3).equals(1), "(= ((_ extract 3 3) x) #b1)"),
        (x.zero_extend(2).rotate_left(1), "((_ rotate_left 1) ((_ zero_extend 2) x))"),
        (a.store(&x, 7).select(5), "(select (store a x #b0111) #b00000101)"),
        (f.apply([&x, &p]), "(f x p)"),
        (x.equals(BitVec::ones(8)), "(= x #b11111111)"),
        (x.distinct(Value::from(BitVec::one(8))), "(distinct x #b00000001)"),
        (ctx.all([&p, &q, &p]), "(and p q p)"),
        (ctx.all([]) | ctx.any([]), "(or true false)"),
        (ctx.distinct([&x, &y]), "(distinct x y)"),
        (x.substitute([(&x, &y)]) + &x, "(bvadd y x)"),
        ((&x + &y).substitute([(&x, &y), (&y, &x)]), "(bvadd y x)"),
        (ctx.bv(-2, 4), "#b1110"),
        (x.uadd_overflows(&y), "(bvuaddo x y)"),
    ];
    for (expr, text) in texts {
        assert_eq!(expr.to_string(), text);
    }
    let square = &x * &x;
    assert_eq!((&square + &square).to_string(), "(let ((_t0 (bvmul x x))) (bvadd _t0 _t0))");
}

#[test]
fn expressions_can_be_looked_at() {
    let ctx = Context::new();
    let x = ctx.bv_symbol("x", 8);
    let low = (&x + 5).extract(3, 0);
    assert_eq!((low.width(), low.indices(), x.name().as_deref()), (Some(4), vec![3, 0], Some("x")));
    let args = low.args()[0].args();
    assert_eq!((&args[0], args[1].constant().and_then(|five| five.to_u64())), (&x, Some(5)));
    assert_eq!(ctx.sort_text(x.equals(0).sort().unwrap()), "Bool");
}

#[test]
fn values_of_arrays_become_terms_again() {
    let ctx = Context::new();
    let a = ctx.array_symbol("a", 2, 2);
    let sort = a.sort().unwrap();
    let value = ctx.const_array(sort, 3).store(1, 2);
    let text = value.to_string();
    let value = ctx.with_pool(|pool| bivalve_terms::eval(pool, value.term().unwrap(), &Default::default()));
    assert_eq!(ctx.value(sort, &value).to_string(), text);
    assert_eq!(a.equals(&value).to_string(), format!("(= a {text})"));
}

#[test]
fn integers_fit_or_are_refused() {
    let ctx = Context::new();
    for width in [1, 7, 8, 63, 64, 65, 126, 127, 128, 129, 200] {
        let x = ctx.bv_symbol("x", width);
        let text = |value: i128| x.equals(value).args()[1].to_string();
        let bits = |width: u32, digit: &str| format!("#b{}", digit.repeat(width as usize));
        assert_eq!(text(-1), bits(width, "1"));
        assert_eq!(text(0), bits(width, "0"));
        if width < 127 {
            assert_eq!(text((1 << width) - 1), bits(width, "1"));
            for value in [1 << width, -(1 << (width - 1)) - 1] {
                let refusal = x.equals(value).term().unwrap_err().problem;
                assert_eq!(refusal, Problem::OutOfRange { value, width });
            }
        }
        assert_eq!(
            text(-(1 << (width - 1).min(126))).matches('1').count(),
            (width as usize).saturating_sub(126).max(1)
        );
    }
}

#[test]
fn errors_are_carried_along() {
    let ctx = Context::new();
    let (x, y) = (ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 9));
    let line = line!() + 1;
    let wrong = &x + &y;
    let far = !(wrong.clone() * 2).ult(&x) & true;
    let error = far.term().unwrap_err();
    assert_eq!((error.location.file(), error.location.line()), (file!(), line));
    assert_eq!(wrong.sort().unwrap_err(), error);
    assert!(matches!(error.problem, Problem::Sort(SortError::Argument { position: 2, .. })));
    assert!(far.to_string().starts_with("<argument 2 of 'bvadd' is expected to be of sort (_ BitVec 8)"));
    assert_eq!((far.width(), far.args(), far.op(), far.constant()), (None, vec![], None, None));
    let other = Context::new().bv_symbol("x", 8);
    assert_eq!(x.ult(&other).term().unwrap_err().problem, Problem::OtherContext);
    let kinds = [
        ctx.bv_symbol("x", 0),
        ctx.bv(1, 1 << 25),
        ctx.function("f", &[], Sort::BOOL),
        x.extract(8, 0),
        x.store(0, 0),
        x.apply([]),
        x.equals(300),
        x.equals(true),
        ctx.bool_symbol("p").equals(1),
        ctx.const_array(Sort::BOOL, 1),
        ctx.all([&x]),
        x.substitute([(&x, &y)]),
    ];
    for expr in kinds {
        assert_eq!(expr.term().unwrap_err().location.file(), file!(), "{expr}");
    }
}

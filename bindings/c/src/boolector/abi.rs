//! The functions of `boolector.h` that are no operators.
#![expect(clippy::missing_safety_doc, reason = "the contract of addresses is that of Boolector's header")]
#![allow(
    unsafe_code,
    reason = "names and addresses of C; what is done with them is in `pointers` and `streams`"
)]

use super::btor::{self, BoolectorNode, Btor, BtorHandle, BtorPtr, Node, NodePtr, SortPtr, with};
use super::nodes::Input;
use super::operators::{ABORT, made};
use super::options::ROWS;
use super::parsing::is_constant;
use crate::ending::{Report, carried_out};
use crate::fault::{Failed, Fault, Outcome, digits};
use crate::opaque::{Tag, parts, pointer};
use crate::pointers::{expect_place, members, optional_text, put, text};
use crate::registry::locked;
use crate::{checker, streams};
use bivalve::terms::{BitVec, Sort, SortKind};
use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};

/// A call of an instance.
pub(super) fn call<T: Failed>(
    function: &str,
    btor: BtorPtr,
    body: impl FnOnce(&mut Btor) -> Outcome<T>,
) -> T {
    carried_out(&ABORT, function, || with(btor, body))
}

fn refused<T>(why: &str) -> Outcome<T> {
    Err(Fault::unsupported(format!("not supported by Bivalve: {why}")))
}

/// Functions that take an instance and at most plain numbers.
macro_rules! calls {
    ($($name:ident ($($arg:ident: $type:ty),*) -> $result:ty, $body:expr;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(btor: BtorPtr, $($arg: $type),*) -> $result {
            let body: fn(&mut Btor, $($type),*) -> Outcome<$result> = $body;
            call(stringify!($name), btor, |btor| body(btor, $($arg),*))
        })*
    };
}

calls! {
    boolector_terminate() -> i32, |b| Ok(i32::from(b.checker.is_over()));
    boolector_get_refs() -> u32, |b| Ok(b.references());
    boolector_reset_time() -> (), |_| Ok(());
    boolector_reset_stats() -> (), |_| Ok(());
    boolector_print_stats() -> (), |b| {
        streams::print(&format!("{}\n", crate::text::statistics(&b.checker, &b.pool)?))
    };
    boolector_get_trapi() -> *mut c_void, |_| Ok(null_mut());
    boolector_push(levels: u32) -> (), |b, levels| {
        b.expect_incremental()?;
        b.last = None;
        b.checker.push(levels.into())
    };
    boolector_pop(levels: u32) -> (), |b, levels| {
        b.expect_incremental()?;
        b.last = None;
        b.checker.pop(levels.into())
    };
    boolector_assert(node: NodePtr) -> (), |b, node| b.assert(node);
    boolector_assume(node: NodePtr) -> (), |b, node| b.assume(node);
    boolector_failed(node: NodePtr) -> bool, |b, node| b.is_failed(node);
    boolector_get_failed_assumptions() -> *mut NodePtr, |b| b.list_failed();
    boolector_fixate_assumptions() -> (), |b| b.fixate();
    boolector_reset_assumptions() -> (), |b| {
        b.assumptions.clear();
        Ok(())
    };
    boolector_sat() -> i32, |b| b.check(0);
    boolector_limited_sat(_lemmas: i32, conflicts: i32) -> i32, |b, _, conflicts| {
        b.check(match conflicts {
            0 => 1,
            more => u64::try_from(more).unwrap_or(0),
        })
    };
    boolector_simplify() -> i32, |_| Ok(0);
    boolector_set_opt(option: u32, value: u32) -> (), |b, option, value| b.set_option(option, value);
    boolector_get_opt(option: u32) -> u32, |b, option| b.option(option);
    boolector_get_opt_min(option: u32) -> u32, |b, option| b.option(option).map(|_| ROWS[option as usize].3);
    boolector_get_opt_max(option: u32) -> u32, |b, option| b.option(option).map(|_| ROWS[option as usize].4);
    boolector_get_opt_dflt(option: u32) -> u32, |b, option| b.option(option).map(|_| ROWS[option as usize].2);
    boolector_get_opt_lng(option: u32) -> *const c_char, |_, option| Ok(name_of(option, |row| row.0));
    boolector_get_opt_shrt(option: u32) -> *const c_char, |_, option| Ok(name_of(option, |row| row.1));
    boolector_get_opt_desc(option: u32) -> *const c_char, |_, option| Ok(name_of(option, |row| row.0));
    boolector_has_opt(option: u32) -> bool, |_, option| Ok((option as usize) < ROWS.len());
    boolector_first_opt() -> u32, |_| Ok(0);
    boolector_next_opt(option: u32) -> u32, |_, option| Ok(option.saturating_add(1));
    boolector_release(node: NodePtr) -> (), |b, node| b.release(node);
    boolector_release_all() -> (), |b| {
        b.release_all();
        Ok(())
    };
    boolector_is_bv_const_zero(node: NodePtr) -> bool, |b, node| constant(b, node, BitVec::is_zero);
    boolector_is_bv_const_one(node: NodePtr) -> bool, |b, node| constant(b, node, BitVec::is_one);
    boolector_is_bv_const_ones(node: NodePtr) -> bool, |b, node| constant(b, node, BitVec::is_ones);
    boolector_is_bv_const_max_signed(node: NodePtr) -> bool, |b, node| constant(b, node, BitVec::is_max_signed);
    boolector_is_bv_const_min_signed(node: NodePtr) -> bool, |b, node| constant(b, node, BitVec::is_min_signed);
    boolector_get_node_id(node: NodePtr) -> i32, |b, node| b.node_id(node);
    boolector_match_node_by_id(id: i32) -> NodePtr, |b, id| b.by_id(id);
    boolector_match_node(node: NodePtr) -> NodePtr, |b, node| b.copy(node);
    boolector_get_symbol(node: NodePtr) -> *const c_char, |b, node| b.name(node);
    boolector_get_width(node: NodePtr) -> u32, |b, node| {
        let sort = result_sort(b, node)?;
        sort.width().ok_or_else(|| Fault::argument("the node has no bits"))
    };
    boolector_get_index_width(array: NodePtr) -> u32, |b, array| {
        let term = b.array(array)?;
        let (index, _) = b.signature(Node::Term(term))?;
        Ok(index[0].width().unwrap_or(0))
    };
    boolector_get_bits(node: NodePtr) -> *const c_char, |b, node| b.constant_bits(node);
    boolector_free_bits(text: *const c_char) -> (), |b, text| b.free_text(text);
    boolector_get_fun_arity(node: NodePtr) -> u32, |b, node| {
        let node = b.node(node)?;
        Ok(b.signature(node)?.0.len() as u32)
    };
    boolector_is_const(node: NodePtr) -> bool, |b, node| constant(b, node, |_| true);
    boolector_is_var(node: NodePtr) -> bool, |b, node| is_input(b, node, |kind| matches!(kind, SortKind::BitVec(_)));
    boolector_is_array(node: NodePtr) -> bool, |b, node| {
        let node = b.node(node)?;
        Ok(matches!(node, Node::Term(term) if matches!(b.pool.sort_kind(term), SortKind::Array { .. })))
    };
    boolector_is_array_var(node: NodePtr) -> bool, |b, node| {
        is_input(b, node, |kind| matches!(kind, SortKind::Array { .. }))
    };
    boolector_is_param(node: NodePtr) -> bool, |b, node| {
        let node = b.node(node)?;
        Ok(matches!(node, Node::Term(term) if b.params.contains(&term)))
    };
    boolector_is_bound_param(node: NodePtr) -> bool, |b, node| {
        let node = b.node(node)?;
        Ok(matches!(node, Node::Term(term) if b.bound.contains(&term)))
    };
    boolector_is_uf(node: NodePtr) -> bool, |b, node| {
        is_input(b, node, |kind| matches!(kind, SortKind::Function { .. }))
    };
    boolector_is_fun(node: NodePtr) -> bool, |b, node| {
        let node = b.node(node)?;
        Ok(b.signature(node).is_ok())
    };
    boolector_bv_assignment(node: NodePtr) -> *const c_char, |b, node| b.assignment(node);
    boolector_free_bv_assignment(text: *const c_char) -> (), |b, text| b.free_text(text);
    boolector_bool_sort() -> SortPtr, |b| Ok(b.hand_out_sort(Sort::bitvec(1)?));
    boolector_bitvec_sort(width: u32) -> SortPtr, |b, width| Ok(b.hand_out_sort(Sort::bitvec(width)?));
    boolector_array_sort(index: SortPtr, element: SortPtr) -> SortPtr, |b, index, element| {
        b.width_of_sort(index)?;
        b.width_of_sort(element)?;
        let (index, element) = (b.sort(index)?, b.sort(element)?);
        let sort = b.pool.sorts_mut().array(index, element)?;
        Ok(b.hand_out_sort(sort))
    };
    boolector_copy_sort(sort: SortPtr) -> SortPtr, |b, sort| {
        let sort = b.sort(sort)?;
        Ok(b.hand_out_sort(sort))
    };
    boolector_release_sort(sort: SortPtr) -> (), |b, sort| b.release_sort(sort);
    boolector_is_equal_sort(left: NodePtr, right: NodePtr) -> bool, |b, left, right| {
        match (b.node(left)?, b.node(right)?) {
            (Node::Term(left), Node::Term(right)) => Ok(b.pool.sort(left) == b.pool.sort(right)),
            (left, right) => Ok(b.signature(left).ok() == b.signature(right).ok()),
        }
    };
    boolector_is_array_sort(sort: SortPtr) -> bool, |b, sort| {
        Ok(matches!(b.pool.sorts().kind(b.sort(sort)?), SortKind::Array { .. }))
    };
    boolector_is_bitvec_sort(sort: SortPtr) -> bool, |b, sort| Ok(b.sort(sort)?.is_bitvec());
    boolector_is_fun_sort(sort: SortPtr) -> bool, |b, sort| {
        Ok(matches!(b.pool.sorts().kind(b.sort(sort)?), SortKind::Array { .. } | SortKind::Function { .. }))
    };
    boolector_bitvec_sort_get_width(sort: SortPtr) -> u32, |b, sort| b.width_of_sort(sort);
    boolector_const_array(sort: SortPtr, value: NodePtr) -> NodePtr, |b, sort, value| {
        let (sort, value) = (b.sort(sort)?, b.bits(value)?);
        let term = b.pool.const_array(sort, value)?;
        Ok(b.hand_out(Node::Term(term)))
    };
    boolector_copyright() -> *const c_char, |_| Ok(c"Bivalve: MIT OR Apache-2.0".as_ptr());
    boolector_version() -> *const c_char, |_| Ok(crate::bivalve_version());
    boolector_git_id() -> *const c_char, |_| Ok(c"bivalve".as_ptr());
    boolector_clone() -> BtorPtr, |_| refused("boolector_clone");
    boolector_set_trapi(_file: *mut c_void) -> (), |_, _| refused("traces of calls");
}

/// A word of an option's row as a text that lives forever; null for none.
fn name_of(option: u32, word: fn(&super::options::Row) -> &'static str) -> *const c_char {
    use std::sync::OnceLock;
    static NAMES: OnceLock<Vec<[CString; 2]>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        ROWS.iter().map(|row| [crate::fault::c_string(row.0), crate::fault::c_string(row.1)]).collect()
    });
    let Some((row, names)) = ROWS.get(option as usize).zip(names.get(option as usize)) else { return null() };
    let found = names.iter().find(|name| name.as_bytes() == word(row).as_bytes());
    found.filter(|name| !name.is_empty()).map_or(null(), |name| name.as_ptr())
}

fn constant(btor: &mut Btor, node: NodePtr, ask: impl Fn(&BitVec) -> bool) -> Outcome<bool> {
    let node = btor.node(node)?;
    Ok(matches!(node, Node::Term(term) if is_constant(&btor.pool, term, ask)))
}

fn is_input(btor: &mut Btor, node: NodePtr, ask: impl Fn(&SortKind) -> bool) -> Outcome<bool> {
    let node = btor.node(node)?;
    let Node::Term(term) = node else { return Ok(false) };
    Ok(btor.is_symbol(node) && !btor.params.contains(&term) && ask(&btor.pool.sort_kind(term)))
}

/// The sort of a bit-vector, of the elements of an array, or of the results of a function.
fn result_sort(btor: &mut Btor, node: NodePtr) -> Outcome<Sort> {
    match btor.node(node)? {
        Node::Term(term) if btor.pool.width(term).is_some() => Ok(btor.pool.sort(term)),
        node => Ok(btor.signature(node)?.1),
    }
}

/// `boolector_new` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_new() -> BtorPtr {
    carried_out(&ABORT, "boolector_new", btor::make)
}

/// `boolector_delete` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_delete(btor: BtorPtr) {
    carried_out(&ABORT, "boolector_delete", || btor::delete(btor));
}

/// `boolector_set_abort` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_set_abort(callback: Option<Report>) {
    *locked(&ABORT) = callback;
}

/// `boolector_set_term` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_set_term(
    btor: BtorPtr,
    callback: Option<checker::Terminate>,
    state: *mut c_void,
) {
    call("boolector_set_term", btor, |btor| {
        btor.checker.on_terminate(callback, state);
        Ok(())
    });
}

/// `boolector_set_msg_prefix` of Boolector. There are no messages.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_set_msg_prefix(btor: BtorPtr, _prefix: *const c_char) {
    call("boolector_set_msg_prefix", btor, |_| Ok(()));
}

/// `boolector_set_sat_solver` of Boolector: a backend of Bivalve, or the default one for those of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_set_sat_solver(btor: BtorPtr, solver: *const c_char) {
    let solver = unsafe { text(solver) };
    call("boolector_set_sat_solver", btor, |btor| {
        let name = solver?.to_ascii_lowercase();
        let is_theirs = ["lingeling", "picosat", "minisat", "cms"].contains(&name.as_str());
        if is_theirs { Ok(()) } else { btor.checker.set("sat", &name) }
    });
}

fn const_of_digits(function: &str, btor: BtorPtr, sort: SortPtr, text: Outcome<&str>, base: u32) -> NodePtr {
    made(function, btor, |btor| {
        let width = btor.width_of_sort(sort)?;
        let value = digits(text?, base, width)?;
        btor.constant(sort, |_| value)
    })
}

/// `boolector_const` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_const(btor: BtorPtr, bits: *const c_char) -> NodePtr {
    let bits = unsafe { text(bits) };
    made("boolector_const", btor, |btor| {
        let bits = bits?;
        let width = u32::try_from(bits.len()).unwrap_or(u32::MAX);
        let term = btor.pool.bitvec(&digits(bits, 2, width)?);
        btor.node_of(term)
    })
}

/// `boolector_constd` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_constd(
    btor: BtorPtr,
    sort: SortPtr,
    text: *const c_char,
) -> NodePtr {
    let text = unsafe { crate::pointers::text(text) };
    const_of_digits("boolector_constd", btor, sort, text, 10)
}

/// `boolector_consth` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_consth(
    btor: BtorPtr,
    sort: SortPtr,
    text: *const c_char,
) -> NodePtr {
    let text = unsafe { crate::pointers::text(text) };
    const_of_digits("boolector_consth", btor, sort, text, 16)
}

macro_rules! inputs {
    ($($name:ident $make:expr;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $name(btor: BtorPtr, sort: SortPtr, symbol: *const c_char) -> NodePtr {
            let symbol = unsafe { optional_text(symbol) };
            let make: fn(&mut Btor, SortPtr, Option<&str>) -> Outcome<NodePtr> = $make;
            made(stringify!($name), btor, |btor| make(btor, sort, symbol?))
        })*
    };
}

inputs! {
    boolector_var |b, sort, name| b.input(Input::Var, sort, name);
    boolector_array |b, sort, name| b.input(Input::Array, sort, name);
    boolector_uf |b, sort, name| b.input(Input::Function, sort, name);
    boolector_param |b, sort, name| b.param(sort, name);
}

/// `boolector_fun` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_fun(
    btor: BtorPtr,
    params: *mut NodePtr,
    count: u32,
    body: NodePtr,
) -> NodePtr {
    let params = unsafe { members(params, count as usize) };
    made("boolector_fun", btor, |btor| btor.lambda(params?, body))
}

/// `boolector_apply` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_apply(
    btor: BtorPtr,
    args: *mut NodePtr,
    count: u32,
    function: NodePtr,
) -> NodePtr {
    let args = unsafe { members(args, count as usize) };
    made("boolector_apply", btor, |btor| btor.applied(function, args?))
}

/// `boolector_fun_sort_check` of Boolector: the position of the first argument of a wrong sort, -1 for none.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_fun_sort_check(
    btor: BtorPtr,
    args: *mut NodePtr,
    count: u32,
    function: NodePtr,
) -> i32 {
    let args = unsafe { members(args, count as usize) };
    call("boolector_fun_sort_check", btor, |btor| {
        let function = btor.node(function)?;
        let (params, _) = btor.signature(function)?;
        for (position, &arg) in args?.iter().enumerate() {
            let term = btor.term(arg)?;
            if params.get(position) != Some(&btor.pool.sort(term)) {
                return Ok(position as i32);
            }
        }
        Ok(-1)
    })
}

/// `boolector_forall` of Boolector: refused.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_forall(
    btor: BtorPtr,
    _params: *mut NodePtr,
    _count: u32,
    _body: NodePtr,
) -> NodePtr {
    made("boolector_forall", btor, |_| refused("quantifiers"))
}

/// `boolector_exists` of Boolector: refused.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_exists(
    btor: BtorPtr,
    _params: *mut NodePtr,
    _count: u32,
    _body: NodePtr,
) -> NodePtr {
    made("boolector_exists", btor, |_| refused("quantifiers"))
}

/// `boolector_get_btor` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_get_btor(node: NodePtr) -> *mut BtorHandle {
    carried_out(&ABORT, "boolector_get_btor", || Ok(pointer(Tag::Btor, parts(Tag::Node, node)?.0, 0)))
}

fn lent(
    function: &str,
    btor: BtorPtr,
    node: *const BoolectorNode,
    ask: impl FnOnce(&mut Btor, Node) -> Outcome<Sort>,
) -> SortPtr {
    call(function, btor, |btor| {
        let node = btor.node(node)?;
        let sort = ask(btor, node)?;
        Ok(btor.lend_sort(sort))
    })
}

/// `boolector_get_sort` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_get_sort(btor: BtorPtr, node: *const BoolectorNode) -> SortPtr {
    lent("boolector_get_sort", btor, node, |btor, node| match node {
        Node::Term(term) => Ok(btor.pool.sort(term)),
        Node::Lambda(_) => {
            let (params, result) = btor.signature(node)?;
            Ok(btor.pool.sorts_mut().function(&params, result)?)
        }
    })
}

/// `boolector_fun_get_domain_sort` of Boolector: of functions of one argument, since there are no sorts of
/// tuples here.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_fun_get_domain_sort(btor: BtorPtr, node: *const BoolectorNode) -> SortPtr {
    lent("boolector_fun_get_domain_sort", btor, node, |btor, node| match btor.signature(node)?.0[..] {
        [param] => Ok(param),
        _ => refused("sorts of tuples"),
    })
}

/// `boolector_fun_get_codomain_sort` of Boolector.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn boolector_fun_get_codomain_sort(
    btor: BtorPtr,
    node: *const BoolectorNode,
) -> SortPtr {
    lent("boolector_fun_get_codomain_sort", btor, node, |btor, node| Ok(btor.signature(node)?.1))
}

/// `boolector_fun_sort` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_fun_sort(
    btor: BtorPtr,
    domain: *mut SortPtr,
    arity: u32,
    codomain: SortPtr,
) -> SortPtr {
    let domain = unsafe { members(domain, arity as usize) };
    call("boolector_fun_sort", btor, |btor| {
        let params = domain?.iter().map(|&sort| btor.sort(sort)).collect::<Outcome<Vec<_>>>()?;
        let result = btor.sort(codomain)?;
        let sort = btor.pool.sorts_mut().function(&params, result)?;
        Ok(btor.hand_out_sort(sort))
    })
}

/// `boolector_match_node_by_symbol` of Boolector; null if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_match_node_by_symbol(
    btor: BtorPtr,
    symbol: *const c_char,
) -> NodePtr {
    let symbol = unsafe { text(symbol) };
    made("boolector_match_node_by_symbol", btor, |btor| Ok(btor.by_name(symbol?).unwrap_or(null_mut())))
}

/// `boolector_set_symbol` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_set_symbol(btor: BtorPtr, node: NodePtr, symbol: *const c_char) {
    let symbol = unsafe { text(symbol) };
    call("boolector_set_symbol", btor, |btor| {
        let node = btor.node(node)?;
        btor.call(node, symbol?)
    });
}

/// Entries of an array or function for the program.
unsafe fn listed(
    function: &str,
    btor: BtorPtr,
    node: NodePtr,
    (indices, values, size): (*mut *mut *mut c_char, *mut *mut *mut c_char, *mut u32),
) {
    call(function, btor, |btor| {
        expect_place(indices)?;
        expect_place(values)?;
        expect_place(size)?;
        let (left, right, count) = btor.lists(node)?;
        unsafe { put(indices, left)? };
        unsafe { put(values, right)? };
        unsafe { put(size, count) }
    });
}

/// `boolector_array_assignment` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_array_assignment(
    btor: BtorPtr,
    array: NodePtr,
    indices: *mut *mut *mut c_char,
    values: *mut *mut *mut c_char,
    size: *mut u32,
) {
    unsafe { listed("boolector_array_assignment", btor, array, (indices, values, size)) }
}

/// `boolector_uf_assignment` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_uf_assignment(
    btor: BtorPtr,
    function: NodePtr,
    args: *mut *mut *mut c_char,
    values: *mut *mut *mut c_char,
    size: *mut u32,
) {
    unsafe { listed("boolector_uf_assignment", btor, function, (args, values, size)) }
}

calls! {
    boolector_free_array_assignment(
        indices: *mut *mut c_char, values: *mut *mut c_char, size: u32
    ) -> (), |b, indices, values, size| b.free_lists(indices, values, size);
    boolector_free_uf_assignment(
        args: *mut *mut c_char, values: *mut *mut c_char, size: u32
    ) -> (), |b, args, values, size| b.free_lists(args, values, size);
}

calls! {
    boolector_dump_aiger_ascii(_file: *mut c_void, _merge: bool) -> (), |_, _, _| refused("AIGER");
    boolector_dump_aiger_binary(_file: *mut c_void, _merge: bool) -> (), |_, _, _| refused("AIGER");
}

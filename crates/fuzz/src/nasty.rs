//! Inputs that break readers and solvers, by name.
//!
//! Each was, in one solver or another, a crash, a hang or an exhausted machine: numbers beyond every bound,
//! widths of nothing, text that does not end, depth beyond every stack, sizes that double with each line.
//! What is asked of Bivalve is an answer or a located refusal, soon.

/// A name and a script.
pub type Nasty = (&'static str, Vec<u8>);

/// All of them, in a fixed order.
pub fn inputs() -> Vec<Nasty> {
    let mut inputs = vec![];
    numbers(&mut inputs);
    widths(&mut inputs);
    ends(&mut inputs);
    depths(&mut inputs);
    doublings(&mut inputs);
    inputs
}

/// Puts a script into the list whose last command is a check.
fn checked(inputs: &mut Vec<Nasty>, name: &'static str, text: &str) {
    inputs.push((name, format!("{text}\n(check-sat)\n").into_bytes()));
}

fn numbers(inputs: &mut Vec<Nasty>) {
    let million = "9".repeat(1_000_000);
    let mut put = |name, text: &str| checked(inputs, name, text);
    put("literal as wide as the sky", "(assert (= (_ bv1 99999999999) (_ bv1 99999999999)))");
    put("literal of width zero", "(assert (= (_ bv0 0) (_ bv0 0)))");
    put("literal that does not fit", "(assert (= (_ bv256 8) #x00))");
    put("million digits as a width", &format!("(declare-const x (_ BitVec {million}))"));
    put("million digits as a value", &format!("(assert (= (_ bv{million} 8) #x00))"));
    put("million digits as a wide value", &format!("(assert (= (_ bv{million} 16777216) (_ bv0 16777216)))"));
    put("million digits as an index", &format!("(assert (= ((_ rotate_left {million}) #x01) #x01))"));
    put("million digits as a term", &format!("(assert (= {million} {million}))"));
    put("million digits as an info", &format!("(set-info :x {million})(set-option :random-seed {million})"));
    put("million digits as levels", &format!("(push {million})(pop {million})"));
    put("million bits", &format!("(assert (distinct #b{0} #b{0}))", "10".repeat(500_000)));
    put("million hexadecimal digits", &format!("(assert (= #x{0} #x{0}))", "f".repeat(1_000_000)));
    put("million letters", &format!("(declare-const {0} Bool)(assert {0})", "a".repeat(1_000_000)));
    put("levels beyond memory", "(push 4294967295)(pop 4294967295)");
    put("levels beyond numbers", "(push 99999999999)(pop 1)");
    put("negative index", "(assert (= ((_ extract -1 0) #x01) #b1))");
    put("reversed extract", "(assert (= ((_ extract 0 7) #x01) #x01))");
    put("extract beyond the width", "(assert (= ((_ extract 4294967295 4294967294) #x01) #b01))");
    put("rotation beyond numbers", "(assert (= ((_ rotate_right 4294967295) #x01) #x80))");
}

fn widths(inputs: &mut Vec<Nasty>) {
    let mut put = |name, text: &str| checked(inputs, name, text);
    put("width zero", "(declare-const x (_ BitVec 0))(assert (= x x))");
    put("width 2^31", "(declare-const x (_ BitVec 2147483648))(assert (= x x))");
    put("width 2^32 + 8", "(declare-const x (_ BitVec 4294967304))(assert (= x x))");
    put("greatest width", "(declare-const x (_ BitVec 16777216))(assert (= (bvadd x x) x))");
    put("beyond the greatest width", "(declare-const x (_ BitVec 16777217))(assert (= x x))");
    put(
        "concatenation too wide",
        "(declare-const x (_ BitVec 16777216))(assert (= (concat x x) (concat x x)))",
    );
    put("repetition too wide", "(assert (= ((_ repeat 4294967295) #x01) ((_ repeat 4294967295) #x01)))");
    put("repetition zero times", "(assert (= ((_ repeat 0) #x01) #x01))");
    put(
        "extension too wide",
        "(assert (= ((_ zero_extend 4294967295) #x01) ((_ sign_extend 4294967288) #x01)))",
    );
    put(
        "wide product",
        "(declare-const x (_ BitVec 65536))(declare-const y (_ BitVec 65536))(assert (= (bvmul x y) (bvudiv y x)))",
    );
    put(
        "wide constants",
        "(define-fun a () (_ BitVec 1048576) ((_ repeat 524288) #b10))
         (define-fun b () (_ BitVec 1048576) ((_ zero_extend 524288) ((_ repeat 262144) #b01)))
         (assert (= (bvmul a b) (bvsub a b)))(assert (bvslt (bvneg a) (bvnot b)))(assert (bvsmulo a b))",
    );
    put(
        "wide constant quotient",
        "(define-fun a () (_ BitVec 1048576) ((_ repeat 524288) #b10))
         (define-fun b () (_ BitVec 1048576) ((_ zero_extend 524288) ((_ repeat 262144) #b01)))
         (assert (= (bvudiv a b) (bvsmod a b)))",
    );
    put(
        "enormous constant quotient",
        "(define-fun a () (_ BitVec 16777216) ((_ repeat 8388608) #b10))
         (define-fun b () (_ BitVec 16777216) ((_ zero_extend 8388608) ((_ repeat 4194304) #b01)))
         (assert (= (bvudiv a b) (bvurem a b)))",
    );
    put(
        "enormous values",
        "(declare-const x (_ BitVec 16777216))(assert (bvult x (_ bv9 16777216)))(check-sat)(get-model)(get-value (x))",
    );
}

fn ends(inputs: &mut Vec<Nasty>) {
    let mut put = |name, text: &[u8]| inputs.push((name, text.to_vec()));
    put("nothing", b"");
    put("blanks", b" \t\r\n ");
    put("unfinished command", b"(assert");
    put("unfinished term", b"(declare-const x Bool)(assert (and x (or x");
    put("unfinished string", b"(echo \"there is no end");
    put("unfinished quoted symbol", b"(declare-const |x Bool)(assert x)(check-sat)");
    put("unfinished comment", b"(check-sat) ; no line feed");
    put("closing only", b"))))))))(check-sat)");
    put("bytes of zero", b"\0\0(check-sat)\0(assert \0true)(check-sat)");
    put("zero within a symbol", b"(declare-const a\0b Bool)(declare-const |a\0b| Bool)(check-sat)");
    put(
        "not UTF-8",
        b"(echo \"\xff\xfe\xc3\")(declare-const |\x80\xc0\xaf| Bool)(assert \xe2\x82)(check-sat)",
    );
    put("byte order mark", b"\xef\xbb\xbf(check-sat)\xef\xbb\xbf(check-sat)");
    put("carriage returns", b"(check-sat) ; old\r(assert false)\r\n(check-sat)\r");
    put("backslashes", b"(declare-const |a\\b| Bool)(declare-const a\\b Bool)(echo \"\\\")(check-sat)");
    put("a million opening", &b"(".repeat(1_000_000));
    put("a million closing", &b")".repeat(1_000_000));
    put("a million commands of nothing", &b"()".repeat(500_000));
}

fn depths(inputs: &mut Vec<Nasty>) {
    const DEPTH: usize = 200_000;
    let nested = |open: &str, middle: &str, close: &str| open.repeat(DEPTH) + middle + &close.repeat(DEPTH);
    let mut put = |name, text: String| checked(inputs, name, &text);
    let x = "(declare-const x (_ BitVec 8))(declare-const p Bool)";
    put("deep complement", format!("{x}(assert (= x {}))", nested("(bvnot ", "x", ")")));
    put("deep sum", format!("{x}(assert (= x {}))", nested("(bvadd x ", "x", ")")));
    put("deep if-then-else", format!("{x}(assert (= x {}))", nested("(ite p #x01 ", "x", ")")));
    put("deep conjunction", format!("{x}(assert {})", nested("(and p ", "p", ")")));
    put("deep implication", format!("{x}(assert {})", nested("(=> (bvult x #x09) ", "p", ")")));
    put("deep labels", format!("{x}(assert {})", nested("(! ", "p", " :a b)")));
    put("deep lets", format!("{x}(assert {})", nested("(let ((q p)) ", "(and p q)", ")")));
    put("deep bindings", format!("{x}(assert {})", nested("(let ((q ", "p", ")) q)")));
    put("deep attribute", format!("(set-info :x {})", nested("(", "x", ")")));
    put("deep foreign command", format!("(simplify {})", nested("(f ", "x", ")")));
    put("deep sort", format!("(declare-const a {})", nested("(Array Bool ", "Bool", ")")));
    put("deep applications", format!("{x}(assert {})", nested("(", "p", ")")));
    put("deep indices", format!("{x}(assert (= x {}))", nested("(_ ", "x", " 1)")));
    put("wide conjunction", format!("{x}(assert (and{}))", " (bvult x #x09)".repeat(DEPTH)));
    put("wide distinct", format!("{x}(assert (distinct{}))", " x #x01".repeat(2_000)));
    let bits = "(declare-const z (_ BitVec 12))(declare-const x (_ BitVec 8))";
    let constants = " #b0000".repeat(DEPTH);
    put("wide concatenation", format!("{bits}(assert (= ((_ extract 7 0) (concat{constants} z)) x))"));
    let a = "(declare-const a (Array Bool Bool))";
    put("wide distinct of one array", format!("{a}(assert (distinct{}))", " a".repeat(DEPTH)));
    let arrays = |form: &dyn Fn(usize) -> String| (0..DEPTH / 4).map(form).collect::<String>();
    let declared = arrays(&|n| format!("(declare-const a{n} (Array Bool Bool))"));
    put("wide distinct of arrays", format!("{declared}(assert (distinct{}))", arrays(&|n| format!(" a{n}"))));
    put("many levels", format!("{x}{}(assert p)", "(push 1)(declare-const y Bool)".repeat(20_000)));
}

/// Scripts of one line for each doubling, and how many lines.
fn doublings(inputs: &mut Vec<Nasty>) {
    const LINES: usize = 200;
    let lines = |line: &dyn Fn(usize, usize) -> String| -> String {
        (1..=LINES).map(|n| line(n - 1, n)).collect::<Vec<_>>().join("\n")
    };
    let x = "(declare-const x0 (_ BitVec 8))";
    let lets = lines(&|a, b| format!("(let ((x{b} (bvadd x{a} (bvmul x{a} x{a}))))"));
    checked(inputs, "doubling lets", &format!("{x}(assert (= #x07 {lets} x{LINES}{}))", ")".repeat(LINES)));
    let defined = lines(&|a, b| {
        format!("(define-fun x{b} () (_ BitVec 8) (bvxor (bvadd x{a} x{a}) (bvmul x{a} x{a})))")
    });
    let ask = format!("(assert (bvult x0 x{LINES}))(check-sat)(get-value (x{LINES}))(get-assertions)");
    checked(inputs, "doubling definitions", &format!("{x}{defined}{ask}"));
    let functions = lines(&|a, b| {
        format!("(define-fun f{b} ((y (_ BitVec 8))) (_ BitVec 8) (bvadd (f{a} y) (f{a} (bvnot y))))")
    });
    let first = "(define-fun f0 ((y (_ BitVec 8))) (_ BitVec 8) (bvmul y x0))";
    checked(inputs, "doubling functions", &format!("{x}{first}{functions}(assert (= x0 (f{LINES} x0)))"));
    let sorts = lines(&|a, b| format!("(define-sort S{b} (T) (Array (S{a} T) (S{a} T)))"));
    checked(
        inputs,
        "doubling sorts",
        &format!("(define-sort S0 (T) (Array T T)){sorts}(declare-const a (S{LINES} Bool))(assert (= a a))"),
    );
    let wider =
        lines(&|a, b| format!("(define-fun w{b} () (_ BitVec {}) (concat w{a} w{a}))", 8u128 << b.min(90)));
    checked(inputs, "doubling widths", &format!("(define-fun w0 () (_ BitVec 8) #x01){wider}"));
    let arithmetic = lines(&|a, b| format!("(define-fun m{b} () (_ BitVec 4096) (bvmul m{a} m{a}))"));
    let large = "(declare-const m0 (_ BitVec 4096))";
    checked(inputs, "many wide products", &format!("{large}{arithmetic}(assert (= m{LINES} (_ bv1 4096)))"));
}

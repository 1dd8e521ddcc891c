//! Scripts that are altered at random: tokens swapped, quoted, freed of quotes, deleted, doubled or put in;
//! names that are others throughout, expressions that are moved or wrapped, single characters.

use fastrand::Rng;

/// Scripts to alter. Between them they have each command and each form of terms and sorts.
pub(crate) const SEEDS: &[&str] = &[
    "(set-info :status unsat) (set-logic QF_BV) (declare-const x (_ BitVec 4)) (declare-fun y () (_ BitVec 4))
     (assert (let ((a (bvadd x y)) (b (bvneg y))) (= (bvadd a b) (bvand x #b1111))))
     (assert (! (bvult x (_ bv9 4)) :named small)) (check-sat) (push 1) (assert (not small)) (check-sat) (pop 1)
     (get-value (x (bvmul x y))) (check-sat-assuming (small (not small))) (get-unsat-core) (exit) (assert false)",
    "(set-logic QF_AUFBV) (declare-sort S 0) (declare-fun f (S S) Bool) (declare-fun g (Bool (_ BitVec 2)) S)
     (declare-const a (Array (_ BitVec 2) (_ BitVec 4))) (declare-const s S) (define-sort W () (_ BitVec 2))
     (define-sort Map (X Y) (Array X Y)) (declare-const m (Map W Bool)) (declare-const i W)
     (assert (f s (g (select m i) #b01))) (assert (= (select (store a i #x3) #b10) ((_ zero_extend 2) i)))
     (assert (= a ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x0))) (check-sat)
     (assert (distinct s (g true i) (as s S))) (check-sat) (reset-assertions) (check-sat)",
    "(set-option :global-declarations true) (set-logic ALL) (push) (declare-const p Bool)
     (define-fun h ((q Bool) (r (_ BitVec 3))) Bool (ite (and q p) (bvslt r #b010) (or q (= r #b111))))
     (define-const c (_ BitVec 3) #b101) (define-fun k () Bool (h p c)) (assert (=> k p (h k #b000))) (pop)
     (check-sat) (assert (xor p k true)) (check-sat) (reset) (declare-const p Bool) (assert p) (check-sat)",
    "(set-logic QF_UF) ; a comment\n (declare-fun |let| (Bool Bool) Bool) (declare-const |!| Bool)
     (declare-const |a b| Bool) (declare-fun bvand (Bool Bool) Bool) (echo \"; (assert \"\"no\"\" \")
     (assert (|let| |!| (bvand true |a b|)))\t(check-sat)\r(assert (and (false) |a b|)) ; end\r(check-sat)
     (set-info :source |text (with ) bars|) (get-info :name) (simplify (and x y)) (check-sat)",
    "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)
     (assert (= ((_ extract 3 0) x) (extract 7 4 y))) (assert (iff p (bvsle x y) (bvumul_noovfl x y)))
     (assert (= (concat ((_ repeat 2) #b10) #xF) (bvor x y (bvnot x)) (bvsub x y #x01)))
     (assert (distinct (rotate_left x y) ((_ rotate_right 1) x) (bvite p (bvinc x) (bvdec y))))
     (assert (bvuaddo x (bvudiv x y))) (assert (and (bvnego x) (or (bvsmulo x y) (bvssubo x y))))
     (assert (= (bvcomp x y) (bvredor x) (bvxnor #b1 #b0 #b1) (bvnand #b1 #b1 #b0))) (check-sat)
     (assert (! (=> p (! (not p) :named n :pattern (p)) n) :weight 3)) (check-sat)
     (assert (<= (+ (ubv_to_int x) 1) 7)) (check-sat)",
    "(set-logic QF_BVFP) (declare-const x (_ FloatingPoint 3 4)) (declare-const y (_ FloatingPoint 3 4))
     (declare-const r RoundingMode) (declare-const w (_ BitVec 7)) (define-sort F () (_ FloatingPoint 3 4))
     (define-fun twice ((z F)) F (fp.add r z z)) (assert (fp.lt x (fp.mul RNE y (twice x)) (fp #b0 #b101 #b000)))
     (assert (= x (fp.sub roundTowardZero x y) ((_ to_fp 3 4) RTP (- 0.3)))) (check-sat) (push 1)
     (assert (or (fp.eq x (fp.div r x y)) (fp.isNaN (fp.sqrt RNA x)) (fp.isZero (fp.rem x y))))
     (assert (distinct x (fp.roundToIntegral RTN y) (fp.fma r x y x) (_ -oo 3 4))) (check-sat) (pop 1)
     (assert (fp.geq (fp.min x y) (fp.max y (_ NaN 3 4)) ((_ to_fp 3 4) w) (fp.abs (fp.neg x)))) (check-sat)
     (assert (= ((_ fp.to_ubv 7) r x) (bvadd w ((_ fp.to_sbv 7) RTZ y)))) (check-sat)",
    "(declare-const x (Float16)) (declare-fun f (Float16 RoundingMode) (_ FloatingPoint 2 3)) (declare-const p Bool)
     (declare-const a (Array (_ BitVec 2) Float16)) (declare-const b (Array Float16 (_ BitVec 2)))
     (declare-const s RoundingMode) (assert (= s (ite p RNE s))) (assert (fp.leq x ((_ to_fp 5 11) RTP (/ 1 3))))
     (assert (= ((_ to_fp 2 3) s (select a (select b x))) (f (ite p x (_ +zero 5 11)) s))) (check-sat)
     (assert (= a (store a #b01 ((_ to_fp_unsigned 5 11) RNE #b101)))) (assert (fp.gt x (_ +oo 5 11))) (check-sat)
     (assert (= #b11 (select (store b x #b01) (fp.neg x)))) (check-sat) (assert (= (fp.to_ieee_bv x) #x3c00)) (check-sat-using smt)
     (assert (fp.isSubnormal ((_ to_fp 5 11) s #b1010))) (assert (fp.isInfinite x)) (assert (fp.isNormal x))
     (assert (fp.isNegative ((_ to_fp 5 11) RNA 3))) (assert (fp.isPositive x))
     (assert (= #x3c01 (to_ieee_bv ((_ to_fp 5 11) s -1.5 -3)))) (check-sat-using (then smt))",
    "(declare-datatypes ((S 0) (P 0) (O 0)) (((sent) (lost) (received))
       ((packet (id (_ BitVec 4)) (payload O) (state S) (ok Bool))) ((none) (some (value (_ BitVec 3)) (inner S)))))
     (declare-const p P) (declare-const q P) (declare-const s S) (declare-const x (_ BitVec 3)) (define-sort O2 () O)
     (define-fun other ((r P)) P ((_ update payload) r (some x (state r)))) (declare-const o O2)
     (assert (= p (packet #x1 (as none O) lost (ok q)))) (assert (distinct (other q) p (other p))) (check-sat) (push 1)
     (assert (or (= (value o) x) ((_ is some) (payload q)) (is-lost (inner o)) (= s (as sent S) (inner (payload p)))))
     (check-sat) (pop 1) (assert (=> (ok p) (= ((_ update value) o #b101) (ite (ok q) o ((as some O) #b101 s)))))
     (assert (= (id p) (id ((_ update ok) q true)))) (check-sat) (get-value (p (value o))) (check-sat)",
    "(set-option :global-declarations true) (push 1) (declare-datatype |a b| ((c1 (f1 Float16) (|m| RoundingMode)) (c2
     (f2 (_ BitVec 2)) (f3 Bool)))) (declare-datatypes ((T 0)) (((pair (left |a b|) (right (_ BitVec 2)))))) (pop 1)
     (declare-const y |a b|) (declare-fun g (T |a b|) T) (declare-const a (Array (_ BitVec 2) T)) (declare-const t T)
     (assert (= (f1 y) (f1 (left t)))) (assert (= (right (select a (right t))) (f2 (left (g t y))))) (check-sat)
     (assert (= (select (store a (f2 y) t) #b10) (g (pair y #b01) (c1 (_ NaN 5 11) (m y))))) (check-sat)
     (assert (or (f3 y) ((_ is c1) y) (not (f3 ((_ update f3) y true))))) (assert (= y (c2 (f2 y) false))) (check-sat)",
];

/// Tokens that are put in, whatever stands around them.
const TOKENS: &[&str] = &[
    "let",
    "|let|",
    "!",
    "|!|",
    "_",
    "|_|",
    "as",
    "|as|",
    "forall",
    "exists",
    "match",
    "par",
    "lambda",
    "true",
    "false",
    "|true|",
    "not",
    "|and|",
    "bvult",
    "|bvadd|",
    "extract",
    "|extract|",
    "const",
    "select",
    "=",
    "=>",
    "Bool",
    "|Bool|",
    "BitVec",
    "|BitVec|",
    "Array",
    "Int",
    "#b1",
    "#b1_0",
    "#b",
    "#xF",
    "#xfg",
    "0",
    "1",
    "007",
    "1_0",
    "+1",
    "-1",
    "-1.5",
    "|-1.5|",
    "-1.",
    "check-sat-using",
    "1.0",
    "1.",
    "4294967296",
    "bv3",
    "bv+1",
    "bv1_0",
    "|bv1|",
    "bv",
    ":named",
    ":global-declarations",
    ":",
    "named",
    "\"text\"",
    "\"a\"\"b\"",
    "\"",
    "|",
    "||",
    "|\\|",
    ";",
    "; x\n",
    "; x\r",
    "\n",
    "\r",
    "\t",
    "\u{c}",
    "\u{b}",
    "\0",
    "\u{a0}",
    "é",
    "|é|",
    "'",
    "`",
    "{",
    "[",
    ",",
    "\\",
    "(",
    ")",
    "()",
    "(_ bv1 4)",
    "(true)",
    "x",
    "y",
    "p",
    "q",
    "|x|",
    "@a",
    ".b",
    "assert",
    "|assert|",
    "check-sat",
    "push",
    "pop",
    "reset",
    "exit",
    "declare-const",
    "define-fun",
    "reset-assertions",
    "set-logic",
    "QF_UF",
    "QF_BV",
    "QF_ABV",
    "ALL",
    "(push 2)",
    "(pop 1)",
    "(exit)",
    "(check-sat)",
    "(reset)",
    "(assert false)",
    "(declare-const x Bool)",
    "(declare-const bvult Bool)",
    "(define-fun true () Bool false)",
    "(let ((x true) (x false)) x)",
    "(let q false)",
    "(! false named n)",
    "(as x Bool)",
    "((_ bvadd) x y)",
    "((_ extract 1 0) x)",
    "(let ((true false)) true)",
    "(get-value ((! x :named v)))",
    "(set-option :global-declarations false)",
    "(declare-sort T)",
    "(declare-sort T 1)",
    "(define-sort T (let) Bool)",
    "RNE",
    "r",
    "roundTowardNegative",
    "|RTZ|",
    "(RNA)",
    "NaN",
    "(_ NaN 3 4)",
    "(_ +zero 2 3)",
    "(_ -oo 1 4)",
    "(_ to_fp 3 4)",
    "to_fp",
    "fp.add",
    "fp.lt",
    "fp",
    "0.25",
    "(- 1)",
    "(/ 1.0 3)",
    "(/ 1 0)",
    "declare-datatype",
    "declare-datatypes",
    "(declare-datatypes ((T 0)) (((c (d Bool)))))",
    "(declare-datatype L ((nil) (cons (hd Bool) (tl L))))",
    "(declare-datatypes ((U 1)) ((par (X) ((u (v X))))))",
    "(_ is some)",
    "(_ is c2)",
    "is-none",
    "(_ update value)",
    "(some #b101 lost)",
    "none",
    "packet",
    "payload",
    "(left t)",
    "Float16",
    "|Float32|",
    "RoundingMode",
    "Real",
    "(_ FloatingPoint 3 4)",
    "(_ FloatingPoint 25 4)",
    "FloatingPoint",
    "(declare-const RNE Bool)",
    "(declare-const fp.add Bool)",
    "QF_FP",
];

/// Splits a script into tokens and what stands between them.
fn tokens(text: &str) -> Vec<&str> {
    let (mut all, mut rest) = (vec![], text);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '(' | ')' => 1,
            '|' | '"' => rest[1..].find(first).map_or(rest.len(), |at| at + 2),
            ';' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            c if c.is_ascii_whitespace() => 1,
            _ => rest.find(|c: char| c.is_ascii_whitespace() || "();|\"".contains(c)).unwrap_or(rest.len()),
        };
        let (token, tail) = rest.split_at(end.max(1));
        all.push(token);
        rest = tail;
    }
    all
}

/// A script with a few tokens swapped, quoted, freed of quotes, deleted, doubled or put in.
pub(crate) fn altered(seed: &str, rng: &mut Rng) -> String {
    let mut tokens: Vec<String> = tokens(seed).into_iter().map(str::to_string).collect();
    for _ in 0..rng.choice([1, 1, 1, 2, 3]).expect("there are some") {
        let (at, other) = (rng.usize(..tokens.len()), rng.usize(..tokens.len()));
        match rng.u8(..8) {
            0 => tokens.swap(at, other),
            1 => tokens[at] = format!("|{}|", tokens[at]),
            2 => tokens[at] = tokens[at].replace(['|', '"'], ""),
            3 => drop(tokens.remove(at)),
            4 => tokens.insert(at, tokens[other].clone()),
            5 => tokens[at] = rng.choice(TOKENS).expect("there are some").to_string(),
            _ => tokens.insert(at, rng.choice(TOKENS).expect("there are some").to_string()),
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

/// Where the expression that begins at a token ends; the end of the text if it does not.
fn end_of(tokens: &[String], start: usize) -> usize {
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "(" => open += 1,
            ")" => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// What is wrapped around an expression, or put in its place (`%` is the expression, `#` a name).
const SHAPES: &[&str] = &[
    "(let ((# %)) #)",
    "(let ((# %)) %)",
    "(let ((# true) (q %)) #)",
    "(let () %)",
    "(! % :named #)",
    "(! % :named # :named q2)",
    "(! % :weight 1 :named # :note (a (b)))",
    "(! % :note)",
    "(! %)",
    "(%)",
    "(# %)",
    "(as % Bool)",
    "((as # Bool) %)",
    "((_ # 1) %)",
    "(_ % 1)",
    "(and % #)",
    "(= % %)",
    "(not %)",
    "(ite # % %)",
    "(distinct % #)",
    "(check-sat-assuming (% (! # :named q3)))",
    "(get-value (% #))",
    "(define-fun # () Bool %)",
    "(define-fun # ((# Bool)) Bool %)",
    "(define-fun q4 ((# Bool) (p Bool)) Bool %)",
    "(define-const # Bool %)",
    "(define-sort # (W) %)",
    "(declare-fun # (%) Bool)",
    "(declare-sort # 0)",
    "(push 3) % (pop 2)",
    "(push) % (pop)",
    "(push 0) % (pop 0)",
    "(set-option :global-declarations true) % (reset-assertions)",
    "(set-logic #) %",
    "(set-info :# %)",
    "(echo %)",
    "(exit %)",
];

/// A script of the commands of some seeds, with names that are others throughout, expressions that are moved
/// or wrapped, and single characters that are other ones.
pub(crate) fn reshaped(rng: &mut Rng) -> String {
    let mut commands = vec![];
    for _ in 0..rng.usize(1..3) {
        let seed: Vec<String> =
            tokens(rng.choice(SEEDS).expect("there are some")).into_iter().map(str::to_string).collect();
        let mut at = 0;
        while at < seed.len() {
            let end = end_of(&seed, at);
            if rng.u8(..16) != 0 {
                commands.push(seed[at..end].to_vec());
            }
            at = end;
        }
    }
    for _ in 0..rng.choice([0, 0, 1, 3]).expect("there are some") {
        let (at, to) = (rng.usize(..commands.len()), rng.usize(..commands.len()));
        commands.swap(at, to);
    }
    let mut tokens = commands.concat();
    let is_name = |token: &String| !"() \t\r\n;".contains(&token[..token.len().min(1)]);
    for _ in 0..rng.choice([0, 1, 1, 2]).expect("there are some") {
        let (at, start) = (rng.usize(..tokens.len()), rng.usize(..tokens.len()));
        let other: Vec<String> = tokens[start..end_of(&tokens, start)].to_vec();
        let name = match rng.bool() {
            true => rng.choice(TOKENS).expect("there are some").to_string(),
            false => tokens[rng.usize(..tokens.len())].clone(),
        };
        match rng.u8(..4) {
            // One name is another one throughout.
            0 if is_name(&tokens[at]) => {
                let old = tokens[at].clone();
                tokens.iter_mut().filter(|token| **token == old).for_each(|token| token.clone_from(&name));
            }
            1 => drop(tokens.splice(at..end_of(&tokens, at), other)),
            _ => {
                let end = end_of(&tokens, at);
                let inner = tokens[at..end].concat();
                let shape = rng.choice(SHAPES).expect("there are some");
                tokens.splice(at..end, [shape.replace('#', &name).replace('%', &inner)]);
            }
        }
    }
    let mut text: Vec<char> = tokens.concat().chars().collect();
    if rng.u8(..4) == 0 && !text.is_empty() {
        let with =
            ['(', ')', '|', '"', ';', ':', '#', '_', '!', '0', 'x', ' ', '\r', '\u{c}', '\0', 'é', '.', '+'];
        let at = rng.usize(..text.len());
        text.splice(at..at + rng.usize(..2), rng.choice(with));
    }
    text.into_iter().collect()
}

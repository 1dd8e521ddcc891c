; Floating point in the forms that scripts have: small and odd formats, what the standard leaves open, arrays and functions
; over floats, and levels. Each answer was wrong in some solver at some time.
; expect: unsat
; expect: sat
; expect: unsat
; expect: unsat
; expect: sat
; expect: unsat
(set-logic QF_AUFBVFP)
(declare-const x (_ FloatingPoint 2 3))
(declare-const y (_ FloatingPoint 2 3))
(declare-const r RoundingMode)
(push 1)
; A difference is less than zero exactly if one number is less than the other.
(assert (not (= (fp.lt (fp.sub r x y) (_ +zero 2 3)) (fp.lt x y))))
(assert (not (and (fp.isInfinite x) (= x y))))
(check-sat)
(pop 1)
(push 1)
; A zero that is either.
(assert (= (fp.min x y) (_ -zero 2 3)))
(assert (= (fp.max x y) (_ -zero 2 3)))
(assert (distinct x y))
(check-sat)
(pop 1)
(push 1)
; One NaN, whatever its bits are.
(declare-fun f ((_ FloatingPoint 8 24)) (_ BitVec 4))
(assert (distinct (f (fp #b0 #xff #b10000000000000000000000)) (f (fp #b1 #xff #b00000000000000000000001))))
(check-sat)
(pop 1)
(push 1)
; Five rounding modes are all that there are, in arrays, too.
(declare-const a (Array (_ BitVec 2) RoundingMode))
(assert (distinct (select a #b00) RNE RNA RTP RTN RTZ))
(check-sat)
(pop 1)
(push 1)
(assert (= (fp.sqrt r ((_ to_fp 5 11) RNE 2.0)) ((_ to_fp 5 11) RTP (/ 1414 1000))))
(check-sat)
(pop 1)
; Sums of two numbers of few bits do not depend on the mode where they are exact.
(assert (distinct (fp.add r (fp.add r ((_ to_fp 8 24) RNE 1.0) ((_ to_fp 8 24) RNE 2.0)) ((_ to_fp 8 24) RNE 4.0))
    ((_ to_fp 8 24) RNE 7)))
(check-sat)

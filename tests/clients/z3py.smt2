; argv: z3 -in
; What z3py's to_smt2 prints: division whose divisor is not zero, rotations by terms, integers made of bit-vectors.
(declare-fun x () (_ BitVec 8))
(declare-fun y () (_ BitVec 8))
(assert (not (= y #x00)))
(assert (= (bvudiv_i x y) #x03))
(assert (= (bvurem_i x y) (bvadd y #xff)))
(assert (bvsle (bvsdiv_i x y) (bvsmod_i x y)))
(assert (distinct (bvsrem_i x y) (ext_rotate_left x y)))
(assert (= (ext_rotate_right x #x03) (ext_rotate_left x #x05)))
(assert (< (ubv_to_int x) (* 4 (ubv_to_int y))))
(assert (= ((_ int_to_bv 8) (+ (ubv_to_int x) 1)) (bvadd x #x01)))
(check-sat)
(get-value ((ubv_to_int y)))

; Which of these weights have together 1,000? A choice is a word with one bit for each weight.
(set-logic QF_BV)
(declare-const choice (_ BitVec 6))
(define-fun part ((chosen (_ BitVec 1)) (weight (_ BitVec 16))) (_ BitVec 16) (ite (= chosen #b1) weight #x0000))
(assert (= (_ bv1000 16) (bvadd (part ((_ extract 0 0) choice) (_ bv137 16)) (part ((_ extract 1 1) choice) (_ bv242 16))
  (part ((_ extract 2 2) choice) (_ bv319 16)) (part ((_ extract 3 3) choice) (_ bv444 16))
  (part ((_ extract 4 4) choice) (_ bv419 16)) (part ((_ extract 5 5) choice) (_ bv571 16)))))
(check-sat)
(get-value (choice))

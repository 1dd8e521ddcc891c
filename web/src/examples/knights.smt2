; A knight always says the truth, a knave never. A: "We are both knaves." B says nothing. What are they?
(set-logic QF_UF)
(declare-const a-is-knight Bool)
(declare-const b-is-knight Bool)
(assert (= a-is-knight (and (not a-is-knight) (not b-is-knight))))
(check-sat)
(get-value (a-is-knight b-is-knight))
(assert (not b-is-knight))
(check-sat)

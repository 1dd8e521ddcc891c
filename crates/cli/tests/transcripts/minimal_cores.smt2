; An assumption that is false by itself is redundant where the assertions are contradictory without it. The search
; for that makes a witness of a declared sort, needs another bit for its elements, and is made again with it.
(set-option :rewrite-level 0)
(set-option :minimize-core on)
(set-option :produce-unsat-assumptions true)
(declare-sort S 0)
(declare-const a (Array S S))
(declare-const i S)
(declare-const x S)
(declare-const y S)
(assert (distinct (store a i x) (store (store a i y) i x)))
(check-sat-assuming (false))
(get-unsat-assumptions)

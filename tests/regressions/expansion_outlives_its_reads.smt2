; A read was expanded by a lemma of the first check; the reads of its expansion went with the assumptions, the
; expansion stayed in force, and its value was that of reads that nothing checked any more.
; expect: unsat
; expect: sat
(set-option :produce-unsat-cores true)
(declare-fun v0 () (Array (_ BitVec 1) (_ BitVec 2)))
(declare-fun v1 () (_ BitVec 2))
(declare-fun v2 () Bool)
(declare-fun v3 () (_ BitVec 1))
(declare-fun v4 () (_ BitVec 1))
(declare-fun v5 () (Array (_ BitVec 1) (_ BitVec 1)))
(declare-fun v7 () (Array (_ BitVec 1) (_ BitVec 1)))
(declare-fun v9 () Bool)
(assert (let ((_t0 (not v2)) (_t1 (select (store ((as const (Array (_ BitVec 2) (_ BitVec 1))) (bvadd v4 ((_ extract 0 0) #b00))) v1 (select v5 v3)) v1))) (let ((_t2 (ite _t0 v3 #b0)) (_t3 (ite _t0 v1 (select ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b00) v1)))) (not (= (select (store (store v0 v3 v1) _t1 _t3) _t2) (select (store (ite v9 ((as const (Array (_ BitVec 1) (_ BitVec 2))) #b00) v0) _t1 _t3) _t2))))))
(check-sat-assuming ((= (store v0 v3 v1) (ite v9 ((as const (Array (_ BitVec 1) (_ BitVec 2))) #b00) v0))
 (let ((_t0 ((as const (Array (_ BitVec 2) (_ BitVec 1))) (bvadd v4 ((_ extract 0 0) #b00))))) (distinct (ite v2 _t0 _t0) (store (store _t0 v1 (select v5 v3)) #b01 #b0)))
 (and (= v7 (ite v2 (store ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b1) #b0 #b0) (store (ite v2 v5 v5) v4 #b0))) (not (= ((_ zero_extend 0) #b1) (bvudiv v3 v4))))))
(check-sat)
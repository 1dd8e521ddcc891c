; A queue of packets, some of which have no payload: is there one that must be resent?
(set-logic ALL)
(declare-datatypes ((Option 1) (Packet 0) (State 0)) (
  (par (X) ((none) (some (value X))))
  ((packet (id (_ BitVec 4)) (payload (Option (_ BitVec 8))) (state State)))
  ((sent) (lost) (received))))
(declare-const p Packet)
(declare-const q Packet)
(declare-const queue (Array (_ BitVec 4) Packet))
(define-fun resend ((p Packet)) Bool
  (match (payload p) ((none false) ((some byte) (and (bvugt byte #xf0) ((_ is lost) (state p)))))))
(assert (= (select queue (id p)) p))
(assert (resend p))
(assert (= q ((_ update state) p sent)))
(check-sat)
(get-value (p q (value (payload q))))
(assert (distinct (state p) sent received))
(assert (= (payload q) (as none (Option (_ BitVec 8)))))
(check-sat)

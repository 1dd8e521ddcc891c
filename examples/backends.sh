#!/bin/sh
# Writes 60 scripts of growing size into a folder: for comparing SAT solvers, since nothing but search decides them.
#   factors   prime numbers that have no factors, and products that have two
#   mixing    words that are shifted, added and multiplied until they are given ones
#   sums      some of so many numbers have a given sum, or none have, since it is another one
set -eu
folder=${1:?"usage: backends.sh FOLDER"}
mkdir -p "$folder"

bits=18
for numbers in 262139:256027 1048573:1040399 4194301:4137131 16777213:16744463 67108859:66994189 268435399:268140589 \
    1073741789:1071514531 4294967291:4292870399 17179869143:17178558473 68719476731:68715282487; do
  for number in ${numbers%:*} ${numbers#*:}; do
    half=$((bits / 2 + 1))
    cat > "$folder/factors-$bits-$number.smt2" <<SCRIPT
(set-logic QF_BV)
(declare-const x (_ BitVec $half))
(declare-const y (_ BitVec $half))
(assert (bvule x y))
(assert (bvugt x (_ bv1 $half)))
(assert (= (bvmul ((_ zero_extend $half) x) ((_ zero_extend $half) y)) (_ bv$number $((2 * half)))))
(check-sat)
SCRIPT
  done
  bits=$((bits + 2))
done

# The word $2 of $1 bits after two rounds.
mixed() {
  printf '(let ((a (bvadd %s (bvshl %s (_ bv3 %s))))) (let ((b (bvxor a (bvlshr a (_ bv4 %s))))) ' "$2" "$2" "$1" "$1"
  printf '(let ((c (bvmul b (bvor b (_ bv1 %s))))) (bvxor c (bvlshr c (_ bv3 %s))))))' "$1" "$1"
}
for width in 14 15 16 17 18 19 20 21 22 23; do
  for seed in 40503 30011; do
    cat > "$folder/mixing-$width-$seed.smt2" <<SCRIPT
(set-logic QF_BV)
(declare-const x (_ BitVec $((2 * width))))
(assert (= ((_ extract $((width - 1)) 0) $(mixed $((2 * width)) x)) (_ bv$((seed % (1 << width))) $width)))
(assert (= ((_ extract $((2 * width - 1)) $width) $(mixed $((2 * width)) "(bvnot x)")) (_ bv$((seed % 1009)) $width)))
(check-sat)
SCRIPT
  done
done

for count in 18 19 20 21 22 23 24 25 26 27; do
  for parity in even odd; do
    awk -v count="$count" -v parity="$parity" 'BEGIN {
      seed = 12345; sum = 0; text = ""
      print "(set-logic QF_BV)"
      for (i = 0; i < count; i++) {
        seed = (seed * 1103 + 12289) % 65536; number = 2 * seed; if (i % 2) sum += number
        print "(declare-const p" i " Bool)"
        text = text " (ite p" i " (_ bv" number " 24) (_ bv0 24))"
      }
      if (parity == "odd") { sum = sum + 2 }
      print "(assert (= (bvadd" text ") (_ bv" sum " 24)))\n(check-sat)"
    }' > "$folder/sums-$count-$parity.smt2"
  done
done

"""Puzzles with one solution."""

from z3 import *

# SEND + MORE = MONEY in words of 32 bits.
letters = dict(zip("SENDMORY", BitVecs("S E N D M O R Y", 32)))


def number(word):
    total = BitVecVal(0, 32)
    for letter in word:
        total = total * 10 + letters[letter]
    return total


s = Solver()
s.add([ULT(v, 10) for v in letters.values()])
s.add(Distinct(*letters.values()), letters["S"] != 0, letters["M"] != 0, number("SEND") + number("MORE") == number("MONEY"))
print(s.check())
m = s.model()
print({letter: m[v].as_long() for letter, v in letters.items()})
s.add(Or([v != m[v] for v in letters.values()]))
print(s.check())

# Eight queens, the first in the third column, counted.
queens = [BitVec(f"q{i}", 6) for i in range(8)]
s = Solver()
s.add(queens[0] == 2)
s.add([ULT(q, 8) for q in queens])
s.add(Distinct(queens))
s.add([And(queens[i] + i != queens[j] + j, queens[i] - i != queens[j] - j) for i in range(8) for j in range(i)])
count = 0
while s.check() == sat:
    m = s.model()
    count += 1
    s.add(Or([q != m[q] for q in queens]))
print(count)

# A hash that is turned around.
key = BitVec("key", 32)
mixed = key
for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
    mixed = (mixed ^ LShR(mixed, shift)) * factor
solve(mixed == 0x12345678, show=False)

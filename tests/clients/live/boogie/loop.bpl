// A sum that stays below a bound, with an invariant.
function {:bvbuiltin "bvadd"} add(bv16, bv16) returns (bv16);
function {:bvbuiltin "bvule"} ule(bv16, bv16) returns (bool);
function {:bvbuiltin "bvult"} ult(bv16, bv16) returns (bool);
function {:bvbuiltin "bvshl"} shl(bv16, bv16) returns (bv16);

procedure Sum(n: bv16) returns (sum: bv16)
  requires ule(n, 100bv16);
  ensures sum == shl(n, 1bv16);
{
  var i: bv16;
  i := 0bv16;
  sum := 0bv16;
  while (ult(i, n))
    invariant ule(i, n) && sum == shl(i, 1bv16);
  {
    i := add(i, 1bv16);
    sum := add(sum, 2bv16);
  }
}

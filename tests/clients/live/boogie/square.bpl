// The second procedure is wrong for the greatest number.
function {:bvbuiltin "bvmul"} mul(bv32, bv32) returns (bv32);
function {:bvbuiltin "bvadd"} add(bv32, bv32) returns (bv32);
function {:bvbuiltin "bvult"} ult(bv32, bv32) returns (bool);

procedure Square(x: bv32) returns (y: bv32)
  requires ult(x, 100bv32);
  ensures ult(y, 10000bv32);
{
  y := mul(x, x);
}

procedure Next(x: bv32)
{
  assert ult(x, add(x, 1bv32));
}

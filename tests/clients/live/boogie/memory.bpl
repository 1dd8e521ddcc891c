// With /useArrayTheory maps are arrays. The second procedure is wrong where both places are one.
function {:bvbuiltin "bvadd"} add(bv32, bv32) returns (bv32);

procedure Swap(before: [bv32]bv8, i: bv32, j: bv32) returns (memory: [bv32]bv8)
  ensures memory[i] == before[j] && memory[j] == before[i];
{
  memory := before;
  memory[i] := before[j];
  memory[j] := before[i];
}

procedure Apart(before: [bv32]bv8, i: bv32, j: bv32) returns (memory: [bv32]bv8)
{
  memory := before;
  memory[i] := 1bv8;
  memory[j] := 2bv8;
  assert memory[i] == 1bv8;
  assert memory[add(j, 1bv32)] == before[add(j, 1bv32)] || add(j, 1bv32) == i;
}

// A queue of eight words over a memory, whose first word is in a register. Whatever word is followed on its way
// comes out as it went in.
//
// BROKEN: it takes a word more than the memory has places for.
module fifo (
  input clk, input push, input pop, input [7:0] data, output ready, output valid, output reg [7:0] first
);
  reg [7:0] memory [0:7];
  reg [2:0] head = 0, tail = 0;
  reg [3:0] stored = 0;
  reg full = 0;
  assign valid = full;
`ifdef BROKEN
  assign ready = stored <= 8;
`else
  assign ready = stored < 8;
`endif
  wire leaves = pop && full;
  wire enters = push && ready;
  // A word that finds nothing before it goes to the register at once.
  wire passes = enters && stored == 0 && (!full || leaves);
  wire loads = stored != 0 && (!full || leaves);
  wire keeps = enters && !passes;
  always @(posedge clk) begin
    if (passes) first <= data;
    else if (loads) first <= memory[head];
    if (loads) head <= head + 1;
    if (keeps) begin
      memory[tail] <= data;
      tail <= tail + 1;
    end
    stored <= stored + keeps - loads;
    full <= passes || loads || (full && !leaves);
  end

`ifdef FORMAL
  // The words that are before the one that is followed.
  (* anyseq *) wire follow;
  reg followed = 0;
  reg [3:0] before;
  reg [7:0] word;
  always @(posedge clk) begin
    if (enters && follow && !followed) begin
      followed <= 1;
      before <= stored + full - leaves;
      word <= data;
    end else if (followed && leaves) begin
      if (before == 0) followed <= 0;
      before <= before - 1;
    end
  end
  always @(*) if (followed && before == 0 && valid) unchanged: assert (first == word);
  always @(*) if (followed) counted: assert (before < stored + full);
`endif
endmodule

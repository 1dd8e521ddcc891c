// A processor of three stages with four registers: an instruction is decoded, executed, and writes its result.
// What it writes is what a machine would write that ends each instruction before the next one begins.
//
// BROKEN: a result that is being written is not seen by the instruction that is decoded at the same time.
module cpu (input clk, input [9:0] fetched, input stall);
  // op: 0 add, 1 subtract, 2 and, 3 shift left by one and add an immediate; 9:8 op, 7:6 target, 5:4 and 3:2
  // sources, 3:0 immediate.
  function [7:0] result(input [1:0] op, input [7:0] a, input [7:0] b, input [3:0] immediate);
    case (op)
      0: result = a + b;
      1: result = a - b;
      2: result = a & b;
      3: result = {a[6:0], 1'b0} + immediate;
    endcase
  endfunction

  reg [7:0] registers [0:3];
  integer i;
  initial for (i = 0; i < 4; i = i + 1) registers[i] = 0;

  // Between decoding and execution.
  reg x_valid = 0;
  reg [9:0] x;
  reg [7:0] x_a, x_b;
  // Between execution and writing.
  reg w_valid = 0;
  reg [9:0] w;
  reg [7:0] w_value;

  // The newest value of a source, for the instruction that is decoded.
  function [7:0] read(input [1:0] source);
`ifdef BROKEN
    read = registers[source];
`else
    read = w_valid && w[7:6] == source ? w_value : registers[source];
`endif
  endfunction

  // The one before it in the row has its result when it is executed.
  wire [7:0] a = w_valid && w[7:6] == x[5:4] ? w_value : x_a;
  wire [7:0] b = w_valid && w[7:6] == x[3:2] ? w_value : x_b;
  always @(posedge clk) begin
    // A bubble follows where decoding stalls.
    x_valid <= !stall;
    x <= fetched;
    x_a <= read(fetched[5:4]);
    x_b <= read(fetched[3:2]);
    w_valid <= x_valid;
    w <= x;
    w_value <= result(x[9:8], a, b, x[3:0]);
    if (w_valid) registers[w[7:6]] <= w_value;
  end

`ifdef FORMAL
  reg [7:0] model [0:3];
  initial for (i = 0; i < 4; i = i + 1) model[i] = 0;
  wire [7:0] expected = result(w[9:8], model[w[5:4]], model[w[3:2]], w[3:0]);
  always @(posedge clk) if (w_valid) model[w[7:6]] <= expected;
  always @(*) if (w_valid) as_specified: assert (w_value == expected);
`endif
endmodule

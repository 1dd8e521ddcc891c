// An arbiter that serves eight clients in turn: who was served last has the lowest priority. Two are never served
// at once, and each waits for no more than the seven others.
//
// BROKEN: who is served after the last client in the row keeps its place.
module arbiter #(parameter N = 8) (input clk, input [N-1:0] request, output reg [N-1:0] grant);
  // The clients behind the one that was served last.
  reg [N-1:0] behind = 0;
  wire [N-1:0] preferred = request & behind;
  wire [N-1:0] candidates = preferred != 0 ? preferred : request;
  wire [N-1:0] chosen = candidates & (~candidates + 1'b1);
  initial grant = 0;
  always @(posedge clk) begin
    grant <= chosen;
`ifdef BROKEN
    if (preferred != 0) behind <= ~(chosen | (chosen - 1'b1));
    else if (request != 0) behind <= ~(chosen - 1'b1);
`else
    if (request != 0) behind <= ~(chosen | (chosen - 1'b1));
`endif
  end

`ifdef FORMAL
  (* anyconst *) wire [2:0] client;
  reg [3:0] waited = 0;
  always @(posedge clk)
    if (!request[client] || chosen[client]) waited <= 0;
    else waited <= waited + 1;
  always @(*) begin
    single: assert ((grant & (grant - 1'b1)) == 0);
    fair: assert (waited < N);
  end
`endif
endmodule

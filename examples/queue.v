// A queue of four words over a memory. Whatever word is followed on its way comes out as it went in.
module queue #(parameter CAPACITY = 4) (
  input clk, input push, input pop, input [3:0] data, output [3:0] first
);
  reg [3:0] memory [0:3];
  reg [2:0] head = 0, tail = 0;
  wire [2:0] count = tail - head;
  wire enters = push && count != CAPACITY;
  wire leaves = pop && count != 0;
  assign first = memory[head[1:0]];
  always @(posedge clk) begin
    if (enters) begin
      memory[tail[1:0]] <= data;
      tail <= tail + 1;
    end
    if (leaves) head <= head + 1;
  end

`ifdef FORMAL
  (* anyseq *) wire follow;
  reg followed = 0;
  reg [2:0] place;
  reg [3:0] word;
  always @(posedge clk) begin
    if (enters && follow && !followed) begin
      followed <= 1;
      place <= tail;
      word <= data;
    end else if (leaves && head == place) followed <= 0;
  end
  always @(*) if (followed && head == place) unchanged: assert (first == word);
`endif
endmodule

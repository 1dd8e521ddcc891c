// A FIFO of sixteen words beside a counter; what goes in first comes out first.
module fifo(input clk, input push, input pop, input [7:0] din);
  reg [7:0] mem [0:15];
  reg [4:0] head, tail;
  initial head = 0;
  initial tail = 0;
  wire [4:0] count = tail - head;
  wire full = count == 16;
  wire empty = count == 0;
  wire [7:0] dout = mem[head[3:0]];
  (* anyconst *) wire [7:0] value;
  reg tracked;
  reg [4:0] place;
  (* anyseq *) wire pick;
  initial tracked = 0;
  always @(posedge clk) begin
    if (push && !full) begin
      mem[tail[3:0]] <= din;
      tail <= tail + 1;
      if (pick && !tracked && din == value) begin
        tracked <= 1;
        place <= tail;
      end
    end
    if (pop && !empty) begin
      head <= head + 1;
      if (tracked && head == place) tracked <= 0;
    end
  end
`ifdef FORMAL
  always @(*) begin
    if (tracked && head == place) assert(dout == value);
    assert(count <= 16);
  end
`endif
endmodule

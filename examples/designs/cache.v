// A cache of two lines before a memory of eight words; lines are written back when others need their place.
// What is read of an address is what was written there last.
//
// BROKEN: a word that is written where it was not in the cache is not marked as changed.
module cache (
  input clk, input start, input write, input [2:0] address, input [3:0] data, output done, output [3:0] value
);
  reg [3:0] memory [0:7];
  reg [3:0] lines [0:1];
  reg [1:0] tags [0:1];
  reg [1:0] valid = 0, changed = 0;

  localparam IDLE = 0, LOOK = 1, BACK = 2, FILL = 3;
  reg [1:0] state = IDLE;
  reg is_write;
  reg [2:0] at;
  reg [3:0] word;
  wire line = at[0];
  wire hit = valid[line] && tags[line] == at[2:1];
  assign done = state == LOOK && hit;
  assign value = lines[line];

  always @(posedge clk) case (state)
    IDLE: if (start) begin
      state <= LOOK;
      is_write <= write;
      at <= address;
      word <= data;
    end
    LOOK: if (hit) begin
      state <= IDLE;
      if (is_write) begin
        lines[line] <= word;
        changed[line] <= 1;
      end
    end else state <= valid[line] && changed[line] ? BACK : FILL;
    BACK: begin
      memory[{tags[line], line}] <= lines[line];
      state <= FILL;
    end
    FILL: begin
      // What is written need not be fetched.
      lines[line] <= is_write ? word : memory[at];
      tags[line] <= at[2:1];
      valid[line] <= 1;
`ifdef BROKEN
      changed[line] <= 0;
`else
      changed[line] <= is_write;
`endif
      state <= is_write ? IDLE : LOOK;
    end
  endcase

`ifdef FORMAL
  (* anyconst *) wire [2:0] watched;
  reg known = 0;
  reg [3:0] last;
  always @(posedge clk) if (state == IDLE && start && write && address == watched) begin
    known <= 1;
    last <= data;
  end
  always @(*) if (done && !is_write && known && at == watched) remembered: assert (value == last);
`endif
endmodule

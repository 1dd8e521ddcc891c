// A serial line: a sender and a receiver of bytes, four clocks a bit, with a start bit, a parity bit and a stop
// bit. What arrives is what was sent.
//
// BROKEN: the receiver counts a clock more for each bit, so that it looks at the wrong one after some.
module uart (input clk, input send, input [7:0] data, output busy, output reg arrived, output reg [7:0] received);
  // Sender: start bit, eight bits from the lowest on, parity, stop bit.
  reg [10:0] shift = 11'h7ff;
  reg [3:0] left = 0;
  reg [1:0] phase = 0;
  assign busy = left != 0;
  wire line = shift[0];
  always @(posedge clk)
    if (!busy) begin
      if (send) begin
        shift <= {1'b1, ^data, data, 1'b0};
        left <= 11;
        phase <= 0;
      end
    end else begin
      phase <= phase + 1;
      if (phase == 3) begin
        shift <= {1'b1, shift[10:1]};
        left <= left - 1;
      end
    end

  // Receiver: it waits for a start bit, and looks at each bit in its middle.
`ifdef BROKEN
  localparam PERIOD = 4;
`else
  localparam PERIOD = 3;
`endif
  reg [2:0] clock = 0;
  reg [3:0] bits = 0;
  reg receiving = 0;
  reg [8:0] taken;
  initial arrived = 0;
  always @(posedge clk) begin
    arrived <= 0;
    if (!receiving) begin
      if (!line) begin
        receiving <= 1;
        clock <= 1;
        bits <= 0;
      end
    end else if (clock != 0) clock <= clock - 1;
    else begin
      clock <= PERIOD;
      bits <= bits + 1;
      // The first one is the start bit, the last one the stop bit.
      if (bits >= 1 && bits <= 9) taken <= {line, taken[8:1]};
      if (bits == 10) begin
        receiving <= 0;
        received <= taken[7:0];
        arrived <= line && ^taken == 0;
      end
    end
  end

`ifdef FORMAL
  reg [7:0] sent;
  always @(posedge clk) if (!busy && send) sent <= data;
  always @(*) if (arrived) same: assert (received == sent);
`endif
endmodule

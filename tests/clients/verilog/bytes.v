// A memory with byte enables beside a shadow of one word, byte by byte.
module bytes(input clk, input [3:0] waddr, input [31:0] wdata, input [3:0] wen, input [3:0] raddr);
  reg [31:0] mem [0:15];
  (* anyconst *) wire [3:0] spot;
  wire [31:0] rdata = mem[raddr];
  always @(posedge clk) begin
    if (wen[0]) mem[waddr][7:0] <= wdata[7:0];
    if (wen[1]) mem[waddr][15:8] <= wdata[15:8];
    if (wen[2]) mem[waddr][23:16] <= wdata[23:16];
    if (wen[3]) mem[waddr][31:24] <= wdata[31:24];
  end
  genvar i;
  generate for (i = 0; i < 4; i = i + 1) begin : byte
    reg [7:0] shadow;
    reg known;
    initial known = 0;
    always @(posedge clk)
      if (wen[i] && waddr == spot) begin
        shadow <= wdata[8*i +: 8];
        known <= 1;
      end
`ifdef FORMAL
    always @(*) if (known && raddr == spot) assert(rdata[8*i +: 8] == shadow);
`endif
  end endgenerate
endmodule

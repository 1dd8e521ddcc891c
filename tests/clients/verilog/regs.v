// A register file with two reading ports and forwarding, beside a shadow of one register.
module regs(input clk, input wen, input [3:0] rd, input [3:0] rs1, input [3:0] rs2, input [31:0] data);
  reg [31:0] file [0:15];
  reg wen_q;
  reg [3:0] rd_q;
  reg [31:0] data_q;
  (* anyconst *) wire [3:0] spot;
  reg [31:0] shadow;
  reg known;
  initial known = 0;
  initial wen_q = 0;
  always @(posedge clk) begin
    wen_q <= wen;
    rd_q <= rd;
    data_q <= data;
    if (wen_q) file[rd_q] <= data_q;
    if (wen && rd == spot) begin
      shadow <= data;
      known <= 1;
    end
  end
  wire [31:0] a = (wen_q && rd_q == rs1) ? data_q : file[rs1];
  wire [31:0] b = (wen_q && rd_q == rs2) ? data_q : file[rs2];
`ifdef FORMAL
  always @(*) begin
    if (known && rs1 == spot) assert(a == shadow);
    if (known && rs2 == spot) assert(b == shadow);
    if (rs1 == rs2) assert(a == b);
  end
`endif
endmodule

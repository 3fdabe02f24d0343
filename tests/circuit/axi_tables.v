// The tables of remap_axi, 3 x 4 samples a frame, all 200: out = big[1] + curve[200] + t. Frames 0 and 1 pass with the first
// contents, and those that are written while frames are held count from frame 2 on, with the parameter.
module axi_test;
    reg clk = 0, rst_n = 0;
    always #5 clk = ~clk;
    reg awvalid = 0, wvalid = 0, arvalid = 0;
    reg [11:0] awaddr = 0, araddr = 0;
    reg [31:0] wdata = 0;
    reg [3:0] wstrb = 0;
    wire awready, wready, bvalid, arready, rvalid, in_ready, out_valid, sync_error;
    wire [31:0] rdata;
    wire [47:0] out;
    reg in_valid = 0;
    integer in_at = 0, out_at = 0, faults = 0;
    remap_axi dut(.aclk(clk), .aresetn(rst_n),
        .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_awaddr(awaddr),
        .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
        .s_axi_bvalid(bvalid), .s_axi_bready(1'b1), .s_axi_bresp(),
        .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_araddr(araddr),
        .s_axi_rvalid(rvalid), .s_axi_rready(1'b1), .s_axi_rdata(rdata), .s_axi_rresp(),
        .s_axis_in_tvalid(in_valid), .s_axis_in_tready(in_ready), .s_axis_in_tdata(8'd200),
        .s_axis_in_tlast(in_at % 4 == 3), .s_axis_in_tuser(in_at % 12 == 0),
        .m_axis_out_tvalid(out_valid), .m_axis_out_tready(1'b1), .m_axis_out_tdata(out),
        .m_axis_out_tlast(), .m_axis_out_tuser(), .sync_error(sync_error));
    wire signed [47:0] wanted = out_at < 24 ? 48'sd17179869184 + 48'sd7 + 48'sd3 : -48'sd5 + 48'sd99 + 48'sd9;
    always @(posedge clk) begin
        if (in_valid & in_ready)
            in_at <= in_at + 1;
        if (out_valid) begin
            out_at <= out_at + 1;
            if ($signed(out) !== wanted) begin
                faults = faults + 1;
                $display("sample %0d is %0d, not %0d", out_at, $signed(out), wanted);
            end
        end
    end
    task write(input [11:0] address, input [31:0] value);
        begin
            @(negedge clk) awvalid = 1; awaddr = address; wvalid = 1; wdata = value; wstrb = 4'hf;
            @(negedge clk) awvalid = 0; wvalid = 0;
            while (~bvalid) @(negedge clk);
            @(negedge clk);
        end
    endtask
    task read(input [11:0] address);
        begin
            @(negedge clk) arvalid = 1; araddr = address;
            @(negedge clk) arvalid = 0;
            while (~rvalid) @(negedge clk);
            @(negedge clk);
        end
    endtask
    initial begin
        repeat (4) @(negedge clk);
        rst_n = 1;
        repeat (4) @(negedge clk);
        write(`BIG + 8, 0); // 4 * 2^32
        write(`BIG + 12, 4);
        write(`CURVE + 4 * 200, 7);
        in_valid = 1;
        wait (in_at == 15); // of frame 1
        write(0, 2);
        read(0);
        while (~rdata[2]) read(0); // until nothing is in the circuit
        write(`BIG + 8, -5);
        write(`BIG + 12, -1);
        write(`CURVE + 4 * 200, 99);
        write(`CURVE + 4 * 201, 1);
        write(16, 9);
        write(0, 1);
        wait (out_at == 60);
        read(0);
        if (in_at < 24 | rdata[2:0] == 3'd1) faults = faults + 1;
        in_valid = 0;
        if (sync_error | faults != 0) $display("axi: %0d faults, sync_error %b", faults, sync_error);
        else $display("axi: as told");
        $finish;
    end
    initial #100000 begin
        $display("axi: stands still, %0d in, %0d out, %0d faults", in_at, out_at, faults);
        $finish;
    end
endmodule

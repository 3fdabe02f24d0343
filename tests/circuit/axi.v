// The registers of lift_axi, 3 x 4 pixels of 3 channels a frame: out = in + t + b. What is written counts from
// the frame on that begins after a 1 is written to address 0, though the pixels of the frame before are in the circuit.
// Then stray pixels come before frames, and a frame is cut: sync_error is short, and stays in what is read until it is cleared.
module axi_test;
    reg clk = 0, rst_n = 0;
    always #5 clk = ~clk;
    reg awvalid = 0, wvalid = 0, arvalid = 0, held = 0;
    reg [4:0] awaddr = 0, araddr = 0;
    reg [31:0] wdata = 0;
    reg [3:0] wstrb = 0;
    wire awready, wready, bvalid, arready, rvalid, in_ready, b_ready, out_valid, n_valid, sync_error;
    wire [31:0] rdata;
    wire [23:0] out;
    reg in_valid = 0, b_valid = 0;
    integer in_at = 0, b_at = 0, out_at = 0, faults = 0, t;
    integer strays = 0, errors = 0, whole_from = 0;
    reg cut = 0; // the frame ends behind its sixth pixel
    wire stray = strays != 0 & in_at % 12 == 0;
    lift_axi dut(.aclk(clk), .aresetn(rst_n),
        .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_awaddr(awaddr),
        .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
        .s_axi_bvalid(bvalid), .s_axi_bready(1'b1), .s_axi_bresp(),
        .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_araddr(araddr),
        .s_axi_rvalid(rvalid), .s_axi_rready(1'b1), .s_axi_rdata(rdata), .s_axi_rresp(),
        .s_axis_in_tvalid(in_valid), .s_axis_in_tready(in_ready), .s_axis_in_tdata(24'h141414),
        .s_axis_in_tlast(in_at % 4 == 3), .s_axis_in_tuser(in_at % 12 == 0 & ~stray),
        .s_axis_b_tvalid(b_valid), .s_axis_b_tready(b_ready), .s_axis_b_tdata(16'd1),
        .s_axis_b_tlast(b_at % 4 == 3), .s_axis_b_tuser(b_at % 12 == 0),
        .m_axis_out_tvalid(out_valid), .m_axis_out_tready(~held), .m_axis_out_tdata(out),
        .m_axis_out_tlast(), .m_axis_out_tuser(),
        .m_axis_n_tvalid(n_valid), .m_axis_n_tready(1'b1), .m_axis_n_tdata(), .m_axis_n_tlast(), .m_axis_n_tuser(),
        .sync_error(sync_error));
    always @(posedge clk) begin
        errors = errors + sync_error;
        if (in_valid & in_ready & stray)
            strays <= strays - 1;
        else if (in_valid & in_ready) begin
            in_at <= in_at + (cut & in_at % 12 == 5 ? 7 : 1);
            cut <= cut & in_at % 12 != 5;
        end
        if (b_valid & b_ready)
            b_at <= b_at + 1;
        if (out_valid & ~held) begin
            out_at <= out_at + 1;
            // frames 0 and 1: the usual 3; frame 2 and on: 9
            t = out_at < 24 ? 3 : 9;
            if (out_at >= whole_from && out !== {3{8'd20 + t[7:0] + 8'd1}}) begin
                faults = faults + 1;
                $display("sample %0d is %h", out_at, out);
            end
        end
    end
    task write(input [4:0] address, input [31:0] value);
        begin
            @(negedge clk) awvalid = 1; awaddr = address;
            @(negedge clk) awvalid = 0; wvalid = 1; wdata = value; wstrb = 4'hf;
            @(negedge clk) wvalid = 0;
            while (~bvalid) @(negedge clk);
            @(negedge clk);
        end
    endtask
    task read(input [4:0] address, input [31:0] value);
        begin
            @(negedge clk) arvalid = 1; araddr = address;
            @(negedge clk) arvalid = 0;
            while (~rvalid) @(negedge clk);
            if (rdata !== value) begin
                faults = faults + 1;
                $display("at %0d: %0d, not %0d", address, rdata, value);
            end
            @(negedge clk);
        end
    endtask
    initial begin
        repeat (4) @(negedge clk);
        rst_n = 1;
        repeat (4) @(negedge clk);
        read(16, 3);
        in_valid = 1; b_valid = 1;
        wait (in_at == 5);
        write(16, 9);
        read(16, 9);
        wait (in_at >= 15); // of frame 1
        held = 1; // so that frame 1 is in the circuit while the rest happens
        write(0, 1);
        read(0, 1);
        repeat (40) @(negedge clk);
        held = 0;
        wait (out_at == 60);
        read(0, 0);
        strays = 1;
        wait (strays == 0);
        repeat (4) @(negedge clk);
        read(0, 2);
        write(0, 1); // which leaves it as it is
        repeat (60) @(negedge clk);
        read(0, 2);
        write(0, 4);
        read(0, 0);
        if (errors != 1) begin
            faults = faults + 1;
            $display("sync_error for %0d clocks, not 1", errors);
        end
        whole_from = 1000000;
        @(negedge clk) cut = 1;
        wait (~cut);
        write(0, 1); // while half of a frame is in the circuit
        repeat (80) @(negedge clk);
        read(0, 2);
        write(0, 4);
        whole_from = out_at + 12;
        wait (out_at == whole_from + 30);
        read(0, 0);
        in_valid = 0; b_valid = 0;
        repeat (4) @(negedge clk);
        if (sync_error | faults != 0) $display("axi: %0d faults, sync_error %b", faults, sync_error);
        else $display("axi: as told");
        $finish;
    end
    initial #100000 begin
        $display("axi: stands still, %0d in, %0d out", in_at, out_at);
        $finish;
    end
endmodule

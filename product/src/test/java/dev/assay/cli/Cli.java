package dev.assay.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs the real command line within the test's process. */
record Cli(int code, String out, String err) {
    static Cli run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
        return new Cli(code, out.toString(), err.toString());
    }
}

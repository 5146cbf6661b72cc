package dev.assay.cli;

import dev.assay.review.Progress;
import java.io.PrintWriter;
import java.util.Locale;

/** A progress line that overwrites itself on a terminal; where there is none, only whole steps are printed. */
final class ProgressLine implements Progress {
    private static final int WIDTH = 78;
    private final PrintWriter err;
    private final boolean terminal;

    private ProgressLine(PrintWriter err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    static Progress on(PrintWriter err) {
        return new ProgressLine(err, Terminal.interactive());
    }

    @Override
    public void step(String what) {
        clear();
        Wrapped.lines("  ", what).forEach(err::println);
        err.flush();
    }

    @Override
    public void at(String what, double done, double secondsLeft) {
        if (terminal) {
            String line = String.format(Locale.ROOT, "%3.0f %%  %s  %s left", 100 * done, what,
                    time(secondsLeft));
            err.print("\r" + pad(line));
            err.flush();
        }
    }

    @Override
    public void end() {
        clear();
        err.flush();
    }

    private void clear() {
        if (terminal) {
            err.print("\r" + pad("") + "\r");
        }
    }

    private static String pad(String line) {
        return line.length() >= WIDTH ? line.substring(0, WIDTH) : line + " ".repeat(WIDTH - line.length());
    }

    static String time(double seconds) {
        long s = Math.round(seconds);
        return s < 90 ? s + " s" : String.format(Locale.ROOT, "%d min %02d s", s / 60, s % 60);
    }
}

package dev.assay.report;

import dev.assay.report.TerminalText.Span;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;

/** Forecast against observation for a terminal: every claim on a ratio, and where the model was wrong. */
public final class ForecastReport {
    private static final int WIDE = 100;

    private ForecastReport() {}

    /** In lines of at most {@code width} columns; empty where nothing is measured. */
    public static String render(ReviewView view, int width, boolean colour) {
        TerminalText out = new TerminalText(width, colour);
        print(view, width, out);
        return out.toString();
    }

    static void print(ReviewView view, int width, TerminalText out) {
        List<ForecastRow> rows = ForecastRow.distinct(view);
        if (rows.isEmpty()) {
            return;
        }
        out.heading("Forecast against observation: ratio candidate/baseline");
        List<List<Cell>> cells = new ArrayList<>();
        String before = "";
        for (ForecastRow row : rows) {
            cells.add(cells(row, row.claim().id().equals(before) ? "" : row.claim().id(), width >= WIDE));
            before = row.claim().id();
        }
        out.table(List.of(Column.word("Claim"), Column.figure("req/s"), Column.figure("Forecast, 90 %"),
                Column.figure("Observed, 95 %"), Column.word("Forecast is")), cells);
        wrong(view, width >= WIDE, out);
    }

    private static List<Cell> cells(ForecastRow row, String claim, boolean wide) {
        Predicted.Span f = row.forecast();
        return List.of(Cell.of(claim), Cell.of(Numbers.plain(row.load())),
                Cell.of(wide
                        ? f.ratio()
                        : ForecastRow.narrow(f.estimate(), java.util.Optional.of(f.low()),
                                java.util.Optional.of(f.high()))),
                Cell.of(wide
                        ? Numbers.ratio(row.seen().ratio(), row.seen().low(), row.seen().high())
                        : ForecastRow.narrow(row.seen().ratio(), row.seen().low(), row.seen().high())),
                row.off());
    }

    private static void wrong(ReviewView view, boolean wide, TerminalText out) {
        out.heading(WrongSection.TITLE);
        view.analysis().map(a -> WrongSection.share(view, a)).filter(s -> !s.isEmpty())
                .ifPresent(s -> out.wrapped(List.of(Span.of("  ")), s));
        Terms terms = Terms.of(view);
        terms.brief(wide).ifPresent(table -> {
            out.wrapped(List.of(Span.of("  ")), "Forecast/observed − 1 of each arm:");
            out.table(table.columns(), table.rows());
        });
        terms.cancelling().ifPresent(s -> out.wrapped(List.of(Span.of("  ")), s));
    }
}

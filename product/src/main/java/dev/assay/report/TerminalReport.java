package dev.assay.report;

import dev.assay.report.TerminalText.Span;
import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.Finding;
import dev.assay.review.Expectation;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import dev.assay.review.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A review for a terminal ({@code assay show}): the same content as the record, condensed. */
public final class TerminalReport {
    private static final int MIN_WIDTH = 40;
    /** From this width on the ratio tables also hold the forecast and the adjusted p. */
    private static final int WIDE = 110;
    private static final int MOST_DOUBTS = 12;

    private final ReviewView view;
    private final int width;
    private final TerminalText out;

    private TerminalReport(ReviewView view, int width, boolean colour) {
        this.view = view;
        this.width = Math.max(MIN_WIDTH, width);
        this.out = new TerminalText(this.width, colour);
    }

    /** The report in lines of at most {@code width} columns (at least 40). */
    public static String render(ReviewView view, int width, boolean colour) {
        TerminalReport report = new TerminalReport(view, width, colour);
        report.all();
        return report.out.toString();
    }

    private void all() {
        Headline headline = Headline.of(view);
        headline(headline);
        chain();
        view.analysis().ifPresentOrElse(this::ratios, this::forecast);
        ForecastReport.print(view, width, out);
        TerminalLimiters.print(view, out);
        view.analysis().ifPresent(this::fallen);
        validity();
        limits();
        out.gap();
        out.line(List.of(Span.strong("Next"), Span.of("  " + headline.next())));
    }

    private void headline(Headline headline) {
        out.wrapped(List.of(), view.proposal().title());
        out.wrapped(List.of(), view.proposal().decision());
        view.proposal().workload().arrivals().ifPresent(law -> out.wrapped(List.of(), law.words()));
        out.gap();
        out.line(List.of(Span.of(headline.label() + ": "),
                new Span(headline.tone().glyph() + " " + headline.word(), bold(headline.tone()))));
        out.wrapped(List.of(), headline.meaning());
        headline.reasons().forEach(r -> out.wrapped(List.of(Span.of("  - ")), r));
        Deciding.table(view).ifPresent(table -> {
            out.gap();
            out.wrapped(List.of(), "Objective: " + QuestionSection.objective(view.proposal()));
            out.table(table.columns(), table.rows());
            table.notes().forEach(n -> out.wrapped(List.of(Span.of("  ")), n));
            out.gap();
        });
        if (!headline.notShown().isEmpty()) {
            out.line(List.of(Span.of("Not shown:")));
            headline.notShown().forEach(n -> out.wrapped(List.of(Span.of("  - ")), n));
        }
        headline.rollback().ifPresent(r -> out.wrapped(List.of(Span.of("Roll back when: ")), r));
        headline.decided().ifPresent(d -> {
            d.facts().forEach(f -> out.wrapped(List.of(Span.of(f.name() + ": ")), f.value()));
            d.reasons().forEach(r -> out.wrapped(List.of(Span.of("  because ")), r));
            d.again().forEach(r -> out.wrapped(List.of(Span.of("  look again when ")), r));
        });
    }

    private static String bold(Tone tone) {
        String style = Span.of("", tone).style();
        return style.isEmpty() ? "1" : "1;" + style;
    }

    private void chain() {
        List<Part.Rung> rungs = ChainSection.rungs(view);
        if (rungs.isEmpty()) {
            return;
        }
        out.heading("Causal chain");
        int level = rungs.stream().mapToInt(r -> r.level().length()).max().orElse(0);
        int verdict = rungs.stream().flatMap(r -> r.links().stream())
                .mapToInt(l -> l.verdict().text().length()).max()
                .orElse(0);
        for (Part.Rung rung : rungs) {
            String name = rung.level();
            for (Part.Link link : rung.links()) {
                String follows = link.follows().isEmpty() ? "" : " ← " + String.join(", ", link.follows());
                out.wrapped(List.of(Span.of("  " + pad(name, level) + "  "),
                        Span.of(pad(link.verdict().text(), verdict), link.verdict().tone()), Span.of("  ")),
                        link.id() + follows + (link.decisive() ? " (decisive)" : ""));
                name = "";
            }
        }
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private void ratios(Analysis analysis) {
        out.heading("Ratio candidate/baseline with 95 % intervals, " + analysis.blocksComplete() + " of "
                + analysis.blocksPlanned() + " blocks");
        for (Metric metric : CurveSection.metrics(view)) {
            Part.Table table = CurveSection.table(view, analysis, metric);
            out.wrapped(List.of(Span.of("  ")), table.caption());
            narrow(table);
        }
    }

    private void forecast() {
        if (view.prediction().isEmpty()) {
            return;
        }
        out.heading("Forecast ratios candidate/baseline");
        for (Part part : CurveSection.of(view).parts()) {
            if (part instanceof Part.Table table) {
                out.table(table.columns(), table.rows());
                table.notes().forEach(n -> out.wrapped(List.of(Span.of("  ")), n));
            }
        }
    }

    /** Arms without their intervals, and what only a wide terminal has room for left out. */
    private void narrow(Part.Table table) {
        List<String> titles = table.columns().stream().map(Column::title).toList();
        List<String> wanted = width >= WIDE
                ? titles
                : List.of("req/s", "Baseline", "Candidate", "Ratio, 95 %", "Reads");
        int[] kept = IntStream.range(0, titles.size()).filter(i -> wanted.contains(titles.get(i))).toArray();
        List<List<Cell>> rows = new ArrayList<>();
        for (List<Cell> row : table.rows()) {
            rows.add(IntStream.of(kept)
                    .mapToObj(i -> titles.get(i).equals("Baseline") || titles.get(i).equals("Candidate")
                            ? bare(row.get(i))
                            : row.get(i))
                    .toList());
        }
        out.table(IntStream.of(kept).mapToObj(i -> table.columns().get(i)).toList(), rows);
        table.notes().stream()
                .filter(n -> rows.stream().flatMap(List::stream)
                        .anyMatch(c -> c.text().equals(Numbers.ABSENT + n.substring(0, n.indexOf(' ')))))
                .forEach(n -> out.wrapped(List.of(Span.of("  ")), n));
    }

    private static Cell bare(Cell cell) {
        int interval = cell.text().indexOf(" [");
        return interval < 0 ? cell : new Cell(cell.text().substring(0, interval), cell.tone());
    }

    private void fallen(Analysis analysis) {
        List<ClaimResult> fallen = analysis.claims().stream()
                .filter(c -> !(c.verdict() instanceof Verdict.Survived)).toList();
        if (analysis.claims().isEmpty()) {
            return;
        }
        out.heading(fallen.isEmpty() ? "Every claim survived" : "Claims that did not survive");
        for (ClaimResult claim : fallen) {
            Cell verdict = Cell.of(claim.verdict());
            out.wrapped(List.of(Span.of("  "), Span.of(verdict.text(), verdict.tone()), Span.of("  ")),
                    claim.claim().id() + ": " + claim.claim().statement());
            findings(claim.findings().stream().filter(f -> !(f.verdict() instanceof Verdict.Survived))
                    .toList(), claim.claim().expectation() instanceof Expectation.Within);
        }
    }

    /** One line for each finding, or one for all where they have the same reason; its figures unless they stand above. */
    private void findings(List<Finding> findings, boolean tabled) {
        if (findings.size() > 1 && findings.stream().map(f -> f.verdict().why()).distinct().count() == 1) {
            List<Double> loads = findings.stream().flatMap(f -> f.offeredRps().stream()).toList();
            out.wrapped(List.of(Span.of("      ")),
                    "at " + Words.loads(loads) + ": " + findings.getFirst().verdict().why());
            return;
        }
        for (Finding finding : findings) {
            String where = finding.offeredRps().map(r -> "at " + Words.load(r) + ": ").orElse("");
            out.wrapped(List.of(Span.of("      ")), where + (tabled
                    ? ""
                    : "predicted " + finding.predicted() + ", observed " + finding.observed() + "; ")
                    + finding.verdict().why());
        }
    }

    private void validity() {
        if (view.slots().isEmpty() && view.failedSlots().isEmpty()) {
            return;
        }
        List<List<Cell>> doubts = ValiditySection.doubts(view);
        out.heading("Validity");
        Glance.of(view).stream().filter(f -> f.name().equals("Slots"))
                .forEach(f -> out.wrapped(List.of(Span.of("  ")), "slots: " + f.value()));
        for (List<Cell> doubt : doubts.subList(0, Math.min(MOST_DOUBTS, doubts.size()))) {
            out.wrapped(
                    List.of(Span.of("  "), Span.of(doubt.get(2).text(), doubt.get(2).tone()), Span.of("  ")),
                    doubt.get(0).text() + ", " + doubt.get(1).text() + ": " + doubt.get(3).text());
        }
        if (doubts.size() > MOST_DOUBTS) {
            out.line(List.of(Span.of("  and " + (doubts.size() - MOST_DOUBTS) + " more, all in record.md")));
        }
    }

    private void limits() {
        List<String> limits = LimitSection.limits(view);
        if (!limits.isEmpty()) {
            out.heading("What it cannot say");
            limits.forEach(l -> out.wrapped(List.of(Span.of("  - ")), l));
        }
    }
}

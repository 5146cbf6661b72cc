package dev.assay.report;

import dev.assay.report.Part.Fact;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The decision record as Markdown ({@code record.md}): the same bytes for the same view. */
public final class MarkdownRecord {
    private final StringBuilder out = new StringBuilder();

    private MarkdownRecord() {}

    /** The whole record. */
    public static String render(ReviewView view) {
        MarkdownRecord record = new MarkdownRecord();
        record.out.append("# ").append(Markdown.inline(view.proposal().title())).append("\n\n");
        record.headline(Headline.of(view));
        Deciding.table(view).ifPresent(table -> {
            record.out.append(Markdown.paragraph("The numbers that decide; objective: "
                    + QuestionSection.objective(view.proposal()))).append("\n\n");
            record.table(table);
        });
        for (Section section : Outline.of(view)) {
            record.out.append("## ").append(section.title()).append("\n\n");
            section.parts().forEach(record::part);
        }
        return record.out.toString().stripTrailing() + "\n";
    }

    /** A quote block: a box on GitHub, a bar at the left in plain text. */
    private void headline(Headline headline) {
        List<String> lines = new ArrayList<>();
        lines.add("**" + headline.label() + ": " + headline.word() + "** " + headline.tone().glyph());
        lines.add("");
        lines.add(Markdown.inline(headline.meaning()));
        if (!headline.reasons().isEmpty()) {
            lines.add("");
            headline.reasons().forEach(r -> lines.add("- " + Markdown.paragraph(r)));
        }
        if (!headline.notShown().isEmpty()) {
            lines.add("");
            lines.add("**Not shown:** " + Markdown.inline(String.join("; ", headline.notShown())));
        }
        headline.rollback().ifPresent(r -> {
            lines.add("");
            lines.add("**Roll back when** " + Markdown.inline(r));
        });
        headline.decided().ifPresent(d -> decided(lines, d));
        lines.add("");
        lines.add("Next: `" + headline.next() + "`");
        lines.forEach(l -> out.append((l.isEmpty() ? ">" : "> " + l)).append('\n'));
        out.append('\n');
    }

    private static void decided(List<String> lines, Headline.Decided decided) {
        lines.add("");
        for (Fact fact : decided.facts()) {
            lines.add("**" + fact.name() + ":** " + Markdown.inline(fact.value()) + "  ");
        }
        if (!decided.reasons().isEmpty() || !decided.again().isEmpty()) {
            lines.add("");
        }
        decided.reasons().forEach(r -> lines.add("- because " + Markdown.inline(r)));
        decided.again().forEach(r -> lines.add("- look again when " + Markdown.inline(r)));
    }

    private void part(Part part) {
        switch (part) {
            case Part.Text t -> out.append(Markdown.paragraph(t.text())).append("\n\n");
            case Part.Bullets b -> {
                b.items().forEach(i -> out.append("- ").append(Markdown.paragraph(i)).append('\n'));
                out.append('\n');
            }
            case Part.Facts f -> {
                f.facts().forEach(x -> out.append("- **").append(x.name()).append(":** ")
                        .append(Markdown.inline(x.value())).append('\n'));
                out.append('\n');
            }
            case Part.Code c -> out.append(Markdown.code(c.text())).append('\n');
            case Part.Table t -> table(t);
            case Part.Chain c -> chain(c);
            case Part.Chart _ -> {
            }
        }
    }

    private void table(Part.Table table) {
        out.append("**").append(Markdown.inline(table.caption())).append("**\n\n");
        row(table.columns().stream().map(Column::title).toList());
        out.append(table.columns().stream()
                .map(c -> c.kind() == Column.Kind.FIGURE ? "---:" : ":---")
                .collect(Collectors.joining(" | ", "| ", " |\n")));
        table.rows().forEach(r -> row(r.stream().map(Cell::text).toList()));
        out.append('\n');
        table.notes().forEach(n -> out.append(Markdown.paragraph(n)).append("\n\n"));
    }

    private void row(List<String> cells) {
        out.append(cells.stream().map(Markdown::inline).collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    private void chain(Part.Chain chain) {
        int step = 1;
        for (Part.Rung rung : chain.rungs()) {
            out.append(step++).append(". **").append(rung.level()).append("**\n");
            for (Part.Link link : rung.links()) {
                out.append("   - ").append(link.verdict().text()).append(": **")
                        .append(Markdown.inline(link.id()))
                        .append("**, ").append(Markdown.inline(link.statement()));
                if (!link.follows().isEmpty()) {
                    out.append(" *(follows from ").append(Markdown.inline(String.join(", ", link.follows())))
                            .append(")*");
                }
                if (link.decisive()) {
                    out.append(" *(decisive)*");
                }
                if (!link.why().isBlank()) {
                    out.append("<br>").append(Markdown.inline(link.why()));
                }
                out.append('\n');
            }
        }
        out.append('\n');
    }
}

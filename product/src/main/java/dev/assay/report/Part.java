package dev.assay.report;

import java.util.List;

/**
 * One part of a section. All text is plain and passes {@link SafeText} here, once; each form then escapes it in its own
 * way.
 */
public sealed interface Part {
    /** A paragraph. */
    record Text(String text) implements Part {
        public Text {
            text = SafeText.line(text);
        }
    }

    /** A list of sentences. */
    record Bullets(List<String> items) implements Part {
        public Bullets {
            items = items.stream().map(SafeText::line).toList();
        }
    }

    /** Names with their values. */
    record Facts(List<Fact> facts) implements Part {
        public Facts {
            facts = List.copyOf(facts);
        }
    }

    /** Lines to be typed or read letter by letter. */
    record Code(String text) implements Part {
        public Code {
            text = SafeText.lines(text);
        }
    }

    /** A table; {@code notes} stand below it. */
    record Table(String caption, List<Column> columns, List<List<Cell>> rows,
            List<String> notes) implements Part {
        public Table {
            columns = List.copyOf(columns);
            notes = notes.stream().map(SafeText::line).toList();
            rows = rows.stream().map(List::copyOf).toList();
            for (List<Cell> row : rows) {
                if (row.size() != columns.size()) {
                    throw new IllegalArgumentException("table '" + caption + "': a row has " + row.size()
                            + " cells; expected " + columns.size());
                }
            }
        }
    }

    /** The causal chain, level by level. */
    record Chain(List<Rung> rungs) implements Part {
        public Chain {
            rungs = List.copyOf(rungs);
        }
    }

    /** The place of a chart that only the page draws; the tables beside it hold the same figures. */
    record Chart(String id, String caption) implements Part {}

    /** A name with its value. */
    record Fact(String name, String value) {
        public Fact {
            value = SafeText.line(value);
        }
    }

    /** One level of the chain with its claims. */
    record Rung(String level, List<Link> links) {
        public Rung {
            links = List.copyOf(links);
        }
    }

    /** A claim in the chain; {@code why} is empty where it survived. */
    record Link(String id, String statement, Cell verdict, String why, List<String> follows,
            boolean decisive) {
        public Link {
            id = SafeText.line(id);
            statement = SafeText.line(statement);
            why = SafeText.line(why);
            follows = follows.stream().map(SafeText::line).toList();
        }
    }
}

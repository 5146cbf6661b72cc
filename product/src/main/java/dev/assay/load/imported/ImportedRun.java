package dev.assay.load.imported;

import java.time.LocalDateTime;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One run of a load generator as its result file tells it. What the file lacks is empty, never zero.
 *
 * @param version the tool's version
 * @param source the file, and where in it when it holds several runs
 * @param when when the run started or ended, in the clock of the file (its zone is often unsaid)
 * @param facts the configuration, as text
 * @param durationS seconds of the run
 * @param requests single requests, where the file keeps them
 * @param part which part of the tool's output this is
 * @param invalid reasons for which the tool itself calls the run invalid
 * @param notes what a reader of the numbers has to know
 */
public record ImportedRun(Tool tool, Optional<String> version, String source, Optional<LocalDateTime> when,
        Map<Fact, String> facts, Counts counts, OptionalDouble durationS, List<Measure> measures,
        List<ImportedRequest> requests, Part part, List<String> invalid, List<String> notes) {

    /** Which part of a tool's output a file is: parts of one directory make one run. */
    public enum Part {
        /** A whole run; files of this kind beside each other are repeats. */
        WHOLE,
        /** The run's summary, beside which other parts may lie. */
        SUMMARY,
        /** The run's single requests. */
        REQUESTS,
        /** The same numbers as in the summary in another form; used only alone. */
        COPY
    }

    /** Requests by how they ended. */
    public record Counts(OptionalLong attempted, OptionalLong completed, OptionalLong failed) {
        /** No count known. */
        public static final Counts NONE = new Counts(OptionalLong.empty(), OptionalLong.empty(),
                OptionalLong.empty());

        public Counts {
            require("attempted", attempted);
            require("completed", completed);
            require("failed", failed);
        }

        private static void require(String name, OptionalLong count) {
            if (count.isPresent() && count.getAsLong() < 0) {
                throw new IllegalArgumentException(
                        name + " is " + count.getAsLong() + "; expected at least 0");
            }
        }
    }

    public ImportedRun {
        Map<Fact, String> ordered = new EnumMap<>(Fact.class);
        ordered.putAll(facts);
        facts = Collections.unmodifiableMap(ordered);
        measures = List.copyOf(measures);
        requests = List.copyOf(requests);
        invalid = List.copyOf(invalid);
        notes = List.copyOf(notes);
    }

    /** The value of a metric, empty where the file lacks it. */
    public OptionalDouble value(Measure.Key key) {
        return measures.stream().filter(m -> m.key().equals(key)).mapToDouble(Measure::value).findFirst();
    }

    /** Whether the file keeps single requests. */
    public boolean raw() {
        return !requests.isEmpty();
    }
}

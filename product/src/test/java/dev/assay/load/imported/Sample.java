package dev.assay.load.imported;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Runs made in memory for tests of the comparison. */
final class Sample {
    private final Map<Fact, String> facts = new EnumMap<>(
            Map.of(Fact.MODEL, "m", Fact.RATE, "4", Fact.ARRIVALS,
                    "poisson", Fact.MEAN_INPUT_TOKENS, "64", Fact.MEAN_OUTPUT_TOKENS, "32"));
    private final List<Measure> measures = new ArrayList<>();
    private Tool tool = Tool.VLLM;
    private long completed = 1000;
    private OptionalLong failed = OptionalLong.of(0);
    private Optional<LocalDateTime> when = Optional.empty();
    private String invalid = "";

    static Sample run() {
        return new Sample();
    }

    Sample tool(Tool other) {
        tool = other;
        return this;
    }

    Sample fact(Fact fact, String value) {
        facts.put(fact, value);
        return this;
    }

    Sample counts(long good, OptionalLong bad) {
        completed = good;
        failed = bad;
        return this;
    }

    Sample minute(int minute) {
        when = Optional.of(LocalDateTime.of(2026, 1, 1, 12, minute));
        return this;
    }

    Sample invalid(String reason) {
        invalid = reason;
        return this;
    }

    Sample mean(Formula formula, double value) {
        measures.add(new Measure(new Measure.Key(formula, Statistic.MEAN, QuantileRule.NONE), value,
                Measure.Source.REPORTED));
        return this;
    }

    Sample whole(Formula formula, double value) {
        measures.add(new Measure(new Measure.Key(formula, Statistic.WHOLE, QuantileRule.NONE), value,
                Measure.Source.REPORTED));
        return this;
    }

    Sample p(Formula formula, double percent, QuantileRule rule, double value) {
        measures.add(new Measure(new Measure.Key(formula, Statistic.p(percent), rule), value,
                Measure.Source.REPORTED));
        return this;
    }

    ImportedRun build() {
        return new ImportedRun(tool, Optional.empty(), "r.json", when, facts, new ImportedRun.Counts(
                failed.isPresent() ? OptionalLong.of(completed + failed.getAsLong()) : OptionalLong.empty(),
                OptionalLong.of(completed), failed), OptionalDouble.empty(), measures, List.of(),
                ImportedRun.Part.WHOLE, invalid.isEmpty() ? List.of() : List.of(invalid), List.of());
    }
}

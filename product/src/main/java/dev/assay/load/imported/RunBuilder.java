package dev.assay.load.imported;

import dev.assay.load.imported.ImportedRun.Counts;
import dev.assay.load.imported.ImportedRun.Part;
import dev.assay.load.imported.Measure.Source;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Collects what a reader finds; a latency of zero is taken as unmeasured and said so. */
final class RunBuilder {
    private static final double MILLIS_PER_S = 1000;
    private static final double TOLERANCE = 0.01;

    private final Tool tool;
    private final String source;
    private final Map<Fact, String> facts = new EnumMap<>(Fact.class);
    private final Map<Measure.Key, Measure> measures = new LinkedHashMap<>();
    private final List<ImportedRequest> requests = new ArrayList<>();
    private final List<String> invalid = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private Optional<String> version = Optional.empty();
    private Optional<LocalDateTime> when = Optional.empty();
    private Counts counts = Counts.NONE;
    private OptionalDouble durationS = OptionalDouble.empty();
    private Part part = Part.WHOLE;

    RunBuilder(Tool tool, String source) {
        this.tool = tool;
        this.source = source;
    }

    RunBuilder version(Optional<String> text) {
        version = text;
        return this;
    }

    RunBuilder part(Part kind) {
        part = kind;
        return this;
    }

    RunBuilder when(Optional<LocalDateTime> time) {
        when = time;
        return this;
    }

    /** A time in a format; a text that does not fit is left out, since nothing but the order hangs on it. */
    RunBuilder when(Optional<String> text, DateTimeFormatter format) {
        return when(text.flatMap(t -> {
            try {
                return Optional.of(LocalDateTime.parse(t, format));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }));
    }

    /** ISO 8601 with or without an offset. */
    RunBuilder whenIso(Optional<String> text) {
        return when(text.flatMap(t -> {
            try {
                return Optional.of(t.matches(".*(Z|[+-]\\d\\d:?\\d\\d)")
                        ? OffsetDateTime.parse(t).withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()
                        : LocalDateTime.parse(t));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }));
    }

    /** Seconds since 1970. */
    RunBuilder whenEpoch(OptionalDouble seconds) {
        return seconds.isEmpty() || seconds.getAsDouble() < 1e9 || seconds.getAsDouble() > 1e11
                ? this
                : when(Optional.of(LocalDateTime.ofEpochSecond((long) seconds.getAsDouble(),
                        (int) (seconds.getAsDouble() % 1 * 1e9), ZoneOffset.UTC)));
    }

    RunBuilder fact(Fact fact, Optional<String> value) {
        value.ifPresent(v -> facts.put(fact, v));
        return this;
    }

    RunBuilder fact(Fact fact, OptionalDouble value) {
        return fact(fact,
                value.isEmpty() ? Optional.empty() : Optional.of(Fields.plain(value.getAsDouble())));
    }

    RunBuilder counts(OptionalLong attempted, OptionalLong completed, OptionalLong failed) {
        counts = new Counts(attempted, completed, failed);
        return this;
    }

    /** Attempted as the sum, where both parts are known. */
    RunBuilder counts(OptionalLong completed, OptionalLong failed) {
        return counts(completed.isPresent() && failed.isPresent()
                ? OptionalLong.of(completed.getAsLong() + failed.getAsLong())
                : OptionalLong.empty(), completed, failed);
    }

    RunBuilder duration(OptionalDouble seconds) {
        durationS = seconds.isPresent() && seconds.getAsDouble() > 0 ? seconds : OptionalDouble.empty();
        return this;
    }

    /** A mean over requests as a fact, from a sum and a count. */
    RunBuilder meanTokens(Fact fact, OptionalDouble total, OptionalLong requestCount) {
        return total.isEmpty() || total.getAsDouble() <= 0 || requestCount.orElse(0) < 1
                ? this
                : fact(fact, Optional.of(tokens(total.getAsDouble() / requestCount.getAsLong())));
    }

    static String tokens(double mean) {
        return Fields.plain(Math.round(mean * 10) / 10.0);
    }

    RunBuilder percentile(Formula formula, double percent, QuantileRule rule, OptionalDouble value) {
        return put(new Measure.Key(formula, Statistic.p(percent), rule), value, Source.REPORTED);
    }

    RunBuilder mean(Formula formula, OptionalDouble value) {
        return put(new Measure.Key(formula, Statistic.MEAN, QuantileRule.NONE), value, Source.REPORTED);
    }

    RunBuilder whole(Formula formula, OptionalDouble value) {
        return put(new Measure.Key(formula, Statistic.WHOLE, QuantileRule.NONE), value, Source.REPORTED);
    }

    /** Something per second of the run, computed here from counts. */
    RunBuilder perSecond(Formula formula, OptionalDouble total) {
        return total.isEmpty() || durationS.isEmpty()
                ? this
                : put(new Measure.Key(formula, Statistic.WHOLE, QuantileRule.NONE),
                        OptionalDouble.of(total.getAsDouble() / durationS.getAsDouble()), Source.RECOMPUTED);
    }

    RunBuilder perSecond(Formula formula, OptionalLong total) {
        return perSecond(formula,
                total.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(total.getAsLong()));
    }

    static OptionalDouble seconds(OptionalDouble value) {
        return scaled(value, MILLIS_PER_S);
    }

    static OptionalDouble scaled(OptionalDouble value, double factor) {
        return value.isEmpty() ? value : OptionalDouble.of(value.getAsDouble() * factor);
    }

    RunBuilder put(Measure.Key key, OptionalDouble value, Source by) {
        if (value.isEmpty()) {
            return this;
        }
        double v = value.getAsDouble();
        String name = key.formula().family().label();
        if (!Double.isFinite(v) || v < 0) {
            return note(name + " " + key.statistic().label() + " is " + v + " in the file: left out");
        }
        if (v == 0 && key.formula().family().isLatency()) {
            return note(name + " is 0 in the file: taken as not measured");
        }
        Measure known = measures.get(key);
        if (known != null && known.source() == Source.REPORTED && by == Source.RECOMPUTED
                && Math.abs(v - known.value()) > TOLERANCE * v) {
            note(String.format(Locale.ROOT,
                    "%s %s is %.4g in the file, %s %.4g, which is used",
                    name, key.statistic().label(), known.value(),
                    key.formula().family().isLatency()
                            ? "its requests give"
                            : "its counts over its duration give",
                    v));
        }
        if (known == null || by == Source.RECOMPUTED) {
            measures.put(key, new Measure(key, v, by));
        }
        return this;
    }

    /** Keeps the requests and computes their metrics under these formulas. */
    RunBuilder requests(List<ImportedRequest> all, Formula... formulas) {
        requests.addAll(all);
        Recompute.of(all, Set.of(formulas)).forEach(
                (key, value) -> put(key, OptionalDouble.of(value), Source.RECOMPUTED));
        return this;
    }

    RunBuilder invalid(String reason) {
        invalid.add(reason);
        return this;
    }

    RunBuilder note(String text) {
        notes.add(text);
        return this;
    }

    /** Says where a tool's throughput is over another window than its duration. */
    private void checkWindow() {
        Measure rate = measures
                .get(new Measure.Key(Formula.REQUESTS_OVER_WINDOW, Statistic.WHOLE, QuantileRule.NONE));
        if (rate == null || rate.source() == Source.RECOMPUTED || durationS.isEmpty()
                || counts.completed().isEmpty()) {
            return;
        }
        double requestsInWindow = rate.value() * durationS.getAsDouble();
        if (Math.abs(requestsInWindow - counts.completed().getAsLong()) > TOLERANCE * requestsInWindow) {
            note(String.format(Locale.ROOT,
                    "its throughput is over another window than its duration: %.4g/s x %.4g s"
                            + " is not %d requests",
                    rate.value(), durationS.getAsDouble(), counts.completed().getAsLong()));
        }
    }

    ImportedRun build() {
        checkWindow();
        return new ImportedRun(tool, version, source, when, facts, counts, durationS,
                List.copyOf(measures.values()), requests, part, invalid, List.copyOf(notes));
    }
}

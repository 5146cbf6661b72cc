package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.Evidence;
import dev.assay.forecast.EvidenceKind;
import dev.assay.forecast.LoadPoint;
import dev.assay.load.imported.Fact;
import dev.assay.load.imported.Family;
import dev.assay.load.imported.ImportedRun;
import dev.assay.load.imported.Measure;
import dev.assay.load.imported.Statistic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Results of other load generators as load points. */
final class BenchmarkPoints {
    /** Where less than this share of the offered rate is served, a queue grew. */
    private static final double SERVED = 0.9;

    private BenchmarkPoints() {}

    /** The load points of the runs; a run that lacks what a point needs is one line. */
    static Evidence of(List<ImportedRun> runs) {
        List<LoadPoint> points = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (ImportedRun run : runs) {
            points.add(point(run, notes));
        }
        return new Evidence(List.of(), points, List.of(), notes);
    }

    private static LoadPoint point(ImportedRun run, List<String> notes) {
        List<String> lacks = new ArrayList<>();
        OptionalDouble input = fact(run, Fact.MEAN_INPUT_TOKENS);
        OptionalDouble rps = whole(run, Family.REQUEST_RATE);
        OptionalDouble output = fact(run, Fact.MEAN_OUTPUT_TOKENS);
        OptionalDouble tokens = whole(run, Family.OUTPUT_RATE);
        if (output.isEmpty() && tokens.isPresent() && rps.isPresent() && rps.getAsDouble() > 0) {
            output = OptionalDouble.of(tokens.getAsDouble() / rps.getAsDouble());
        }
        Optional<Latency> tpot = tpot(run, output);
        need(lacks, "TPOT (median or mean)", tpot.isPresent());
        need(lacks, "completed requests per second", rps.isPresent());
        need(lacks, "mean input tokens", input.isPresent());
        need(lacks, "mean output tokens", output.isPresent());
        if (!lacks.isEmpty()) {
            throw AssayException.evidence(run.source() + " (" + run.tool().label() + "): lacks "
                    + String.join(", ", lacks) + ", which a calibration needs");
        }
        if (!run.invalid().isEmpty()) {
            notes.add(run.source() + ": its tool calls the run invalid: " + run.invalid().getFirst());
        }
        double served = rps.orElseThrow();
        OptionalDouble offered = fact(run, Fact.RATE);
        OptionalDouble clients = clients(run, offered, notes);
        boolean queued = clients.isEmpty() && offered.isPresent() && served < SERVED * offered.getAsDouble();
        if (queued) {
            notes.add(run.source() + ": served " + Math.round(100 * served / offered.getAsDouble())
                    + " % of the offered rate: its TTFT holds a queue and is not used");
        }
        Optional<Latency> ttft = queued ? Optional.empty() : latency(run, Family.TTFT);
        return new LoadPoint(EvidenceKind.BENCHMARK, run.source(), input.orElseThrow(), output.orElseThrow(),
                clients, served, tpot.orElseThrow().ms(), tpot.orElseThrow().median(),
                ttft.isPresent() ? OptionalDouble.of(ttft.get().ms()) : OptionalDouble.empty(),
                Math.max(1, run.counts().completed().orElse(1)));
    }

    private static void need(List<String> lacks, String what, boolean there) {
        if (!there) {
            lacks.add(what);
        }
    }

    /** The clients of a closed loop; a cap beside a rate is none. All requests at once are as many clients. */
    private static OptionalDouble clients(ImportedRun run, OptionalDouble offered, List<String> notes) {
        if (offered.isPresent()) {
            return OptionalDouble.empty();
        }
        OptionalDouble cap = fact(run, Fact.CONCURRENCY);
        boolean burst = Optional.ofNullable(run.facts().get(Fact.ARRIVALS))
                .filter(a -> a.equals("all at once")).isPresent();
        if (cap.isEmpty() && burst) {
            notes.add(
                    run.source() + ": all requests were sent at once: no steady load, means over its course");
            return run.counts().completed().isPresent()
                    ? OptionalDouble.of(Math.max(1, run.counts().completed().getAsLong()))
                    : OptionalDouble.empty();
        }
        return cap;
    }

    private record Latency(double ms, boolean median) {}

    private static Optional<Latency> tpot(ImportedRun run, OptionalDouble output) {
        Optional<Latency> own = latency(run, Family.TPOT);
        if (own.isPresent()) {
            return own;
        }
        OptionalDouble whole = mean(run, Family.E2E);
        OptionalDouble first = mean(run, Family.TTFT);
        double tokens = output.orElse(0);
        return whole.isPresent() && first.isPresent() && tokens > 1
                && whole.getAsDouble() > first.getAsDouble()
                        ? Optional.of(new Latency(
                                (whole.getAsDouble() - first.getAsDouble()) / (tokens - 1), false))
                        : Optional.empty();
    }

    private static Optional<Latency> latency(ImportedRun run, Family family) {
        for (Measure m : run.measures()) {
            if (m.key().formula().family() == family && m.key().statistic().equals(Statistic.p(50))) {
                return Optional.of(new Latency(m.value(), true));
            }
        }
        OptionalDouble mean = mean(run, family);
        return mean.isPresent() ? Optional.of(new Latency(mean.getAsDouble(), false)) : Optional.empty();
    }

    private static OptionalDouble mean(ImportedRun run, Family family) {
        return of(run, family, Statistic.MEAN);
    }

    private static OptionalDouble whole(ImportedRun run, Family family) {
        return of(run, family, Statistic.WHOLE);
    }

    private static OptionalDouble of(ImportedRun run, Family family, Statistic statistic) {
        return run.measures().stream().filter(m -> m.key().formula().family() == family
                && m.key().statistic().equals(statistic)).mapToDouble(Measure::value).findFirst();
    }

    private static OptionalDouble fact(ImportedRun run, Fact fact) {
        String text = run.facts().getOrDefault(fact, "");
        try {
            double value = Double.parseDouble(text);
            return value > 0 && Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}

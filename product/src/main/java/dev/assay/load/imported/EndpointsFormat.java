package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.OptionalDouble;

/** {@code result_summary.json} of MLCommons endpoints; times are in nanoseconds. */
final class EndpointsFormat implements JsonFormat {
    private static final double MS = 1e-6;

    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "n_samples_issued", "n_samples_completed", "duration_ns");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        JsonFormat.requireEnd(rest, "MLCommons endpoints");
        Fields f = Fields.of(first);
        Fields load = f.at("run_config", "load_pattern");
        OptionalDouble started = f.number("test_started_at");
        RunBuilder run = new RunBuilder(Tool.ENDPOINTS, source).part(ImportedRun.Part.SUMMARY)
                .version(f.text("version")).whenEpoch(started)
                .fact(Fact.ARRIVALS, load.text("type")).fact(Fact.RATE, load.text("target_qps"))
                .fact(Fact.CONCURRENCY, load.text("target_concurrency"))
                .fact(Fact.REQUESTS, f.text("n_samples_issued"))
                .fact(Fact.SEED, f.child("run_config").text("scheduler_random_seed"))
                .fact(Fact.MEAN_INPUT_TOKENS,
                        AiperfFormat.rounded(f.child("input_sequence_lengths").number("avg")))
                .fact(Fact.MEAN_OUTPUT_TOKENS,
                        AiperfFormat.rounded(f.child("output_sequence_lengths").number("avg")))
                .counts(f.count("n_samples_issued"), f.count("n_samples_completed"),
                        f.count("n_samples_failed"))
                .duration(RunBuilder.scaled(f.number("duration_ns"), 1e-9))
                .perSecond(Formula.REQUESTS_OVER_WINDOW, f.count("n_samples_completed"))
                .perSecond(Formula.OUTPUT_OVER_WINDOW, f.child("output_sequence_lengths").number("total"));
        latency(run, f.child("ttft"), Formula.TTFT_CONTENT_ISSUED);
        latency(run, f.child("tpot"), Formula.TPOT_ISSUED);
        latency(run, f.child("latency"), Formula.E2E_ISSUED);
        if (f.text("complete").filter(c -> c.equals("false")).isPresent()) {
            run.invalid("MLCommons endpoints: the run did not complete (state "
                    + f.text("state").orElse("unknown") + ")");
        }
        run.note("throughput is computed from the counts: the tool's own leaves out the first or last request"
                + " in its LoadGen mode");
        return List.of(run.build());
    }

    private static void latency(RunBuilder run, Fields spread, Formula formula) {
        run.mean(formula, RunBuilder.scaled(spread.number("avg"), MS));
        for (double percent : new double[]{50, 90, 95, 99, 99.9}) {
            run.percentile(formula, percent, QuantileRule.UNSTATED,
                    RunBuilder.scaled(spread.child("percentiles").number(Double.toString(percent)), MS));
        }
    }
}

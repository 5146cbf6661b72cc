package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * {@code agg_*.json} of InferenceX: a vLLM-style result with times in seconds. Its {@code *_intvty} is 1000 over the
 * TPOT statistic of the same name, so {@code p99_intvty} is the slow tail and {@code std_intvty} means nothing: they
 * are left out, the TPOT beside them is read.
 */
final class InferencexFormat implements JsonFormat {
    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "hw", "conc", "tput_per_gpu");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        JsonFormat.requireEnd(rest, "InferenceX");
        Fields f = Fields.of(first);
        RunBuilder run = new RunBuilder(Tool.INFERENCEX, source).version(f.text("image"))
                .fact(Fact.MODEL, f.text("model")).fact(Fact.CONCURRENCY, f.text("conc"))
                .fact(Fact.DATASET, Optional.of("random " + f.text("isl").orElse("?") + "/"
                        + f.text("osl").orElse("?")))
                .fact(Fact.SERVER,
                        Optional.of(f.text("framework").orElse("?") + " " + f.text("precision").orElse("?")
                                + " on " + f.text("hw").orElse("?") + " tp " + f.text("tp").orElse("?")));
        latency(run, f, "ttft", Formula.TTFT_VLLM_UNSTATED);
        latency(run, f, "tpot", Formula.TPOT_CHOICES);
        latency(run, f, "itl", Formula.ITL_CHUNKS);
        latency(run, f, "e2el", Formula.E2E_STREAM_SENT);
        return List.of(run.note("interactivity (*_intvty) is 1000 / TPOT of the same statistic: read as TPOT")
                .note("throughput per GPU is left out: the number of GPUs is no part of the formula")
                .build());
    }

    private static void latency(RunBuilder run, Fields f, String name, Formula formula) {
        run.mean(formula, RunBuilder.seconds(f.number("mean_" + name)));
        OptionalDouble median = f.number("median_" + name);
        run.percentile(formula, 50, QuantileRule.LINEAR, RunBuilder.seconds(median));
        for (double percent : new double[]{90, 95, 99, 99.9}) {
            run.percentile(formula, percent, QuantileRule.LINEAR,
                    RunBuilder.seconds(f.number("p" + Fields.plain(percent) + "_" + name)));
        }
    }
}

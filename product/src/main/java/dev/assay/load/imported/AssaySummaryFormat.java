package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.OptionalLong;

/** Assay's own {@code summary.json}, and what {@code assay load --json} prints. */
final class AssaySummaryFormat implements JsonFormat {
    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "requests", "throughput", "validity")
                && Fields.has(Fields.of(first).object().require("requests"), "scheduled", "completed");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        JsonFormat.requireEnd(rest, "Assay");
        Fields f = Fields.of(first);
        Fields requests = f.child("requests");
        OptionalLong scheduled = requests.count("scheduled");
        OptionalLong completed = requests.count("completed");
        RunBuilder run = new RunBuilder(Tool.ASSAY, source).part(ImportedRun.Part.SUMMARY)
                .counts(scheduled, completed, scheduled.isPresent() && completed.isPresent()
                        ? OptionalLong.of(scheduled.getAsLong() - completed.getAsLong())
                        : OptionalLong.empty())
                .fact(Fact.REQUESTS, requests.text("scheduled"))
                .duration(f.number("duration_s"))
                .whole(Formula.REQUESTS_OVER_WINDOW, f.child("throughput").number("requests_per_s"))
                .whole(Formula.OUTPUT_OVER_WINDOW, f.child("throughput").number("output_tokens_per_s"))
                .whole(Formula.GOOD_PER_SECOND, f.number("goodput_rps"))
                .whole(Formula.GOOD_OF_ATTEMPTED, f.number("good_fraction"));
        latency(run, f.child("ttft_ms"), Formula.TTFT_CONTENT_SCHEDULED);
        latency(run, f.child("ttft_from_sent_ms"), Formula.TTFT_CONTENT_SENT);
        latency(run, f.child("tpot_ms"), Formula.TPOT_AFTER_FIRST_CHUNK);
        latency(run, f.child("itl_ms"), Formula.ITL_PER_TOKEN);
        latency(run, f.child("e2e_ms"), Formula.E2E_CONTENT_SCHEDULED);
        for (JsonValue check : f.list("validity")) {
            Fields c = Fields.of(check);
            if (c.text("status").orElse("").equals("fail")) {
                run.invalid("Assay: " + c.text("check").orElse("check") + ": " + c.text("detail").orElse(""));
            }
        }
        return List.of(run.build());
    }

    private static void latency(RunBuilder run, Fields spread, Formula formula) {
        run.mean(formula, spread.number("mean"));
        for (double percent : new double[]{50, 90, 95, 99, 99.9}) {
            run.percentile(formula, percent, QuantileRule.LINEAR,
                    spread.number("p" + Fields.plain(percent)));
        }
    }
}

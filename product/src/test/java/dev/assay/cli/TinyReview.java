package dev.assay.cli;

import dev.assay.review.Proposal.ChangeKind;
import dev.assay.review.ReviewFiles;
import dev.assay.review.Starting;
import dev.assay.review.Template;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** A review of the embedded engine, small enough for a test: real servers, real load, slots of under a second. */
final class TinyReview {
    private static final Path ROOT = Path.of(System.getProperty("assay.root"));

    /** Tokens of an answer in a quick review; with this gap a request alone shows the calibration enough steps. */
    static final int QUICK_TOKENS = 16;
    static final int QUICK_GAP_MILLIS = 3;

    private TinyReview() {}

    /** The launcher, as users start it: the build made its jar and its caches of classes before these tests. */
    static String assay() {
        return "'" + ROOT.resolve("assay") + "'";
    }

    static String engine(int cap) {
        return assay() + " engine --port {port} --max-num-seqs " + cap;
    }

    static Template template(int blocks, String baseline, String candidate) {
        return Template.of(ChangeKind.BATCH_CAP).arms(baseline, candidate)
                .settings(1, 2, 256, 16, "f32", "f32")
                .text("shape_from", ROOT.resolve("model/assay-18m-bf16.gguf").toString())
                .set("input_tokens", "12").set("output_tokens", "6")
                .numbers("load_points", List.of(8.0, 16.0, 24.0, 32.0))
                .numbers("objective_points", List.of(32.0))
                .set("prompts", "2").set("tokens", "8").set("ttft_ms", "2000").set("tpot_ms", "500")
                .set("blocks", String.valueOf(blocks)).set("slot_s", "0.5").set("warmup_s", "0.3")
                .set("calibration_sessions", "1");
    }

    /** Slots of a fifth of a second, for servers of the test's own. */
    static Template quick(String baseline, String candidate) {
        return template(1, baseline, candidate).set("output_tokens", String.valueOf(QUICK_TOKENS))
                .set("slot_s", "0.2").set("warmup_s", "0")
                .numbers("load_points", List.of(10.0, 20.0, 40.0, 80.0))
                .numbers("objective_points", List.of(80.0));
    }

    static ReviewFiles create(Path directory, Template template) {
        return Starting.create(directory, template.render(), "tiny", "tiny-review-" + directory.getFileName(),
                Map.of("cpu", "test", "cores", "2"), InstantSource.system());
    }
}

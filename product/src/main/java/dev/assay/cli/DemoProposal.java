package dev.assay.cli;

import dev.assay.review.Template;
import java.util.List;
import java.util.Optional;

/** The proposal that the demo writes, as an author would after a pilot run. */
final class DemoProposal {
    private static final int BUDGET = 256;
    /** The fewest that can decide a ratio. */
    private static final int BLOCKS = 6;
    private static final int QUICK_BLOCKS = 2;
    /** In the short slots of a quick run the lowest load needs enough requests for a median: fewer would lengthen them. */
    private static final List<Double> QUICK_LOADS = List.of(0.6, 0.8, 1.0, 1.3);
    private static final String QUICK_SLOT = "1.0";
    /**
     * The test for a settled server needs 40 requests, which take longer than a quick session can wait: it always hits its
     * limit, so that the limit is what a quick session pays.
     */
    private static final String QUICK_WARMUP = "0.3";

    private DemoProposal() {}

    static String render(DemoChange change, DemoPilot.Figures pilot, boolean quick, Optional<Integer> blocks,
            long seed) {
        List<Double> loads = quick ? QUICK_LOADS : change.loads();
        List<Double> points = loads.stream().map(f -> round(f * pilot.capacityRps())).toList();
        Template t = Template.of(change.kind())
                .text("owner", "demo@example.org")
                .text("scope", "the embedded engine on this machine")
                .arms(change.baselineCommand(), change.candidateCommand())
                .settings(change.baselineCap(), change.candidateCap(), BUDGET, DemoChange.PAGE, "f32",
                        change.candidateWeights())
                .set("input_tokens", DemoPilot.INPUT).set("output_tokens", DemoPilot.OUTPUT)
                .numbers("load_points", points)
                .set("ttft_ms", number(Math.max(100, 20 * pilot.fullTpotMs())))
                .set("tpot_ms", number(1.5 * pilot.fullTpotMs()))
                .set("blocks", String.valueOf(blocks.orElse(quick ? QUICK_BLOCKS : BLOCKS)))
                .set("slot_s", quick ? QUICK_SLOT : "4.5")
                .set("warmup_s", quick ? QUICK_WARMUP : "1.5").set("calibration_sessions", quick ? "1" : "2")
                .set("prompts", quick ? "4" : "8").set("tokens", quick ? "16" : "32")
                .set("seed", String.valueOf(seed));
        switch (change) {
            case BATCH_CAP_8_TO_32 -> t.text("title", "Raise the decode batch cap from 8 to 32")
                    .text("decision", "Run the pool with --max-num-seqs 32 instead of 8?")
                    .numbers("objective_points", points.subList(2, 4))
                    .constraint("tpot_p50_ms", 0.10, List.of());
            case BATCH_CAP_2_TO_8 -> t.text("title", "Raise the decode batch cap from 2 to 8")
                    .text("decision", "Run the pool with --max-num-seqs 8 instead of 2?")
                    .numbers("objective_points", points.subList(2, 4))
                    .constraint("e2e_p50_ms", 0.10, List.of());
            case WEIGHTS_Q8 -> t.text("title", "Serve 8-bit weights (Q8_0) instead of f32")
                    .text("decision", "Run the pool with --quantization q8_0?")
                    .numbers("objective_points", points.subList(0, 2))
                    .constraint("tpot_p50_ms", 0.05, List.of());
            case PAGE_SIZE_16_TO_32, PAGE_SIZE_16_TO_64 ->
                t.text("title", "Enlarge the KV page from 16 to " + change.candidatePage() + " tokens")
                        .text("decision", "Run the pool with --block-size " + change.candidatePage() + "?")
                        .text("explanation",
                                "Larger pages need fewer table entries and look-ups; each sequence's last"
                                        + " page wastes more of the KV pool, which is far from full here.")
                        .pages(DemoChange.PAGE, change.candidatePage())
                        .objective("tpot_p50_ms", 0.95)
                        .numbers("objective_points", points.subList(2, 4))
                        .constraint("ttft_p50_ms", 0.10, List.of());
        }
        return t.render();
    }

    /** To three figures, so that the proposal reads as if somebody had written it. */
    private static double round(double value) {
        double unit = value >= 10 ? 1 : value >= 2 ? 0.2 : 0.05;
        return Math.round(Math.round(value / unit) * unit * 100) / 100.0;
    }

    private static String number(double value) {
        return String.valueOf(Math.round(value));
    }
}

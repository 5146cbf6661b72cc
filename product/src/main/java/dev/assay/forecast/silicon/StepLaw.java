package dev.assay.forecast.silicon;

import static dev.assay.forecast.silicon.Constant.BLOCK_SECONDS;
import static dev.assay.forecast.silicon.Constant.COMPUTE;
import static dev.assay.forecast.silicon.Constant.KV_STREAM;
import static dev.assay.forecast.silicon.Constant.LINK;
import static dev.assay.forecast.silicon.Constant.OVERLAP;
import static dev.assay.forecast.silicon.Constant.POOL;
import static dev.assay.forecast.silicon.Constant.PROMPT_BLOCK_SECONDS;
import static dev.assay.forecast.silicon.Constant.REDUCE_SECONDS;
import static dev.assay.forecast.silicon.Constant.ROW_SECONDS;
import static dev.assay.forecast.silicon.Constant.WEIGHT_STREAM;

/**
 * The step law at a steady state in which prompts are computed between tokens: of b running requests, b/osl begin in each
 * step. {@code TPOT = (a^m + c^m)^(1/m) + kv + prompts + blocks + collectives + rows}.
 */
final class StepLaw {
    /** Share of memory that engines use by default. */
    private static final double USED_MEMORY = 0.9;
    /** Bytes of activations and of what else is no KV. */
    private static final double OTHER_BYTES = 4e9;
    /** Attention kernels over matrix kernels, as shares of their peaks. */
    private static final double ATTENTION_SHARE = 0.6;
    /** Sharpness of the smaller of batch and capacity; smooth, so that the fit sees a slope on both sides. */
    private static final double SHARP = 6;

    private StepLaw() {}

    /** TPOT in seconds; {@code logs} are the logarithms of the constants. */
    static double seconds(Deployment d, double[] logs) {
        return terms(d, logs).total();
    }

    /** TPOT by its terms. */
    static StepTerms terms(Deployment d, double[] logs) {
        double running = running(d, at(logs, POOL));
        double stream = d.weightBytes() / (at(logs, WEIGHT_STREAM) * d.hardware().bandwidth());
        double compute = at(logs, COMPUTE) * d.peak();
        double decode = running * d.decodeFlops() / compute;
        double kv = running * d.meanContext() * d.kvBytesPerToken()
                / (at(logs, KV_STREAM) * d.hardware().bandwidth());
        double layers = d.shape().layers();
        double begun = d.promptsPerStep(running);
        double prompts = Math.hypot(begun * d.promptFlops() / compute,
                at(logs, PROMPT_BLOCK_SECONDS) * layers * Math.min(1, begun))
                + begun * d.promptAttentionFlops()
                        / (ATTENTION_SHARE * at(logs, COMPUTE) * d.attentionPeak());
        return new StepTerms(running, norm(stream, decode, at(logs, OVERLAP)), kv, prompts,
                layers * at(logs, BLOCK_SECONDS), collectives(d, running * (1 + begunTokens(d)), logs),
                running * at(logs, ROW_SECONDS));
    }

    /** Prompt tokens computed for each token decoded. */
    private static double begunTokens(Deployment d) {
        return (double) d.inputTokens() / d.outputTokens();
    }

    private static double collectives(Deployment d, double tokens, double[] logs) {
        if (d.tensorParallel() == 1) {
            return 0;
        }
        double hops = (1 + Math.log(d.tensorParallel()) / Math.log(2)) / 2;
        return 2 * d.shape().layers() * at(logs, REDUCE_SECONDS) * hops
                + tokens * d.wireBytesPerToken() / (at(logs, LINK) * d.hardware().linkBandwidth());
    }

    /** Requests that run at once: the batch, or what the KV capacity admits. */
    private static double running(Deployment d, double pool) {
        double free = (USED_MEMORY * d.hardware().memoryBytes() - d.residentBytes() - OTHER_BYTES) * pool;
        double fits = Math.max(1, free / (d.kvBytesPerToken() * d.meanContext()));
        return norm(d.batch(), fits, -SHARP);
    }

    private static double norm(double a, double b, double m) {
        double larger = Math.max(a, b);
        return larger * Math.pow(Math.pow(a / larger, m) + Math.pow(b / larger, m), 1 / m);
    }

    private static double at(double[] logs, Constant constant) {
        return Math.exp(logs[constant.place()]);
    }
}

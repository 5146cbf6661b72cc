package dev.assay.cli;

import dev.assay.review.Proposal.ChangeKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The changes that {@code assay demo} can review on the embedded engine. */
enum DemoChange {
    BATCH_CAP_8_TO_32("batch-cap-8-to-32", ChangeKind.BATCH_CAP, 8, 32, 16, "f32"), BATCH_CAP_2_TO_8(
            "batch-cap-2-to-8", ChangeKind.BATCH_CAP, 2, 8, 16, "f32"), WEIGHTS_Q8("weights-q8",
                    ChangeKind.WEIGHT_QUANTIZATION, 8, 8, 16,
                    "q8_0"), PAGE_SIZE_16_TO_32("page-size-16-to-32",
                            ChangeKind.PAGE_SIZE, 8, 8, 32, "f32"), PAGE_SIZE_16_TO_64("page-size-16-to-64",
                                    ChangeKind.PAGE_SIZE, 8, 8, 64, "f32");

    /** Tokens of a KV page of the baseline. */
    static final int PAGE = 16;

    /** The change that teaches most where none is named. */
    static final DemoChange DEFAULT = BATCH_CAP_8_TO_32;

    private final String id;
    private final ChangeKind kind;
    private final int baselineCap;
    private final int candidateCap;
    private final int candidatePage;
    private final String candidateWeights;

    DemoChange(String id, ChangeKind kind, int baselineCap, int candidateCap, int candidatePage,
            String candidateWeights) {
        this.id = id;
        this.kind = kind;
        this.baselineCap = baselineCap;
        this.candidateCap = candidateCap;
        this.candidatePage = candidatePage;
        this.candidateWeights = candidateWeights;
    }

    String id() {
        return id;
    }

    ChangeKind kind() {
        return kind;
    }

    int baselineCap() {
        return baselineCap;
    }

    int candidateCap() {
        return candidateCap;
    }

    int candidatePage() {
        return candidatePage;
    }

    String candidateWeights() {
        return candidateWeights;
    }

    /** The load points as shares of what the baseline completes with every slot taken. */
    List<Double> loads() {
        return switch (this) {
            case BATCH_CAP_8_TO_32 -> List.of(0.3, 0.6, 0.9, 1.2);
            case BATCH_CAP_2_TO_8 -> List.of(0.3, 0.7, 1.1, 1.5);
            case WEIGHTS_Q8 -> List.of(0.1, 0.4, 0.7, 1.0);
            case PAGE_SIZE_16_TO_32, PAGE_SIZE_16_TO_64 -> List.of(0.3, 0.6, 0.9, 1.2);
        };
    }

    String baselineCommand() {
        return "\"$ASSAY_HOME/assay\" engine --port {port} --max-num-seqs " + baselineCap;
    }

    String candidateCommand() {
        return "\"$ASSAY_HOME/assay\" engine --port {port} --max-num-seqs " + candidateCap
                + (candidatePage == PAGE ? "" : " --block-size " + candidatePage)
                + (candidateWeights.equals("f32") ? "" : " --quantization " + candidateWeights);
    }

    static DemoChange named(String name) {
        return Arrays.stream(values()).filter(c -> c.id.equals(name)).findFirst()
                .orElseThrow(() -> dev.assay.AssayException.misuse("--change is '" + name
                        + "'; expected one of "
                        + Arrays.stream(values()).map(DemoChange::id).collect(Collectors.joining(", "))));
    }
}

package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.json.Json;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Calibration;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrival law of a review reaches its slots, and a review without one is what it was. */
class SchedulesTest {
    private static final Path ROOT = Path.of(System.getProperty("assay.root"));

    private static Proposal proposal(String arrivals) {
        return Json.bind(Json.parseYaml(Template.of(Proposal.ChangeKind.BATCH_CAP).render()
                .replace("  output_tokens:",
                        (arrivals.isEmpty() ? "" : "  arrivals: " + arrivals + "\n") + "  output_tokens:"),
                "review.yaml"), Proposal.class);
    }

    /**
     * Variance over mean of the requests of 3,000 slots of 10 s at 8/s: 1 for Poisson, 0 for equal gaps. A stationary
     * gamma renewal process of shape k tends to 1/k (Cox 1962, section 4.5: the variance is t/k and (1 - 1/k²)/6); the
     * standard error of the estimate is 2.6 %, bursts add to it.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"''|1", "{kind: poisson}|1", "{kind: constant}|0",
            "{kind: gamma, burstiness: 0.25}|4", "{kind: gamma, burstiness: 4}|0.25"})
    void countsInSlotsHaveTheDispersionOfTheLaw(String yaml, double dispersion) {
        Proposal proposal = proposal(yaml);
        double[] counts = LongStream.range(0, 3000)
                .mapToDouble(i -> Schedules.at(proposal, Calibration.ASSUMED, 8, i * 7919, 10).size())
                .toArray();
        double mean = Arrays.stream(counts).average().orElseThrow();
        double variance = Arrays.stream(counts).map(c -> (c - mean) * (c - mean)).sum()
                / (counts.length - 1);
        assertThat(mean).isCloseTo(80, within(1.0));
        assertThat(variance / mean).isCloseTo(dispersion, within(0.12 * dispersion + 0.03));
    }

    @Test
    void poissonNeedNotBeSaid() {
        Proposal silent = proposal("");
        Proposal said = proposal("{kind: poisson}");
        assertThat(Schedules.slot(said, Calibration.ASSUMED, 1, 2))
                .isEqualTo(Schedules.slot(silent, Calibration.ASSUMED, 1, 2));
        assertThat(silent.workload().arrivals()).isEmpty();
        assertThat(said.workload().arrivals()).contains(new ArrivalLaw.Poisson());
    }

    /** Reviews sealed before there was a choice: proposal, configurations and every arrival give the old digests. */
    @ParameterizedTest
    @ValueSource(strings = {"llama-cpp-q8-0", "vllm-max-num-seqs-2-to-8"})
    void oldSealsStillHold(String name) {
        ReviewFiles files = ReviewFiles.of(ROOT.resolve("docs/examples").resolve(name));
        State state = State.of(Journal.read(files.directory()));
        assertThat(Sealing.compute(files.proposal(), files.prediction()))
                .isEqualTo(state.seal().orElseThrow());
    }
}

package dev.assay.forecast.arith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracles: brute force, and the table of forecasting.md section 2 on the public traces. */
class PageStudyTest {
    private static final List<Integer> SIZES = List.of(8, 16, 32, 64, 128);

    @ParameterizedTest(name = "{0}")
    @CsvSource({"AzureLLMInferenceTrace_conv.csv, 1366, 0.28, 0.61, 1.25, 2.51, 4.95",
            "AzureLLMInferenceTrace_code.csv, 2076, 0.16, 0.35, 0.72, 1.47, 2.94",
            "mooncake_conversation_trace.jsonl, 12378, 0.03, 0.06, 0.12, 0.24, 0.48"})
    void residenceWasteOfPublicTraces(String file, double meanTotal, double b8, double b16, double b32,
            double b64, double b128) {
        LengthSample lengths = LengthSample.of(Shared.trace(file));
        assertThat(lengths.meanInput() + lengths.meanOutput()).isCloseTo(meanTotal, within(0.6));
        List<Double> expected = List.of(b8, b16, b32, b64, b128);
        List<PageStudy.Row> rows = PageStudy.of(lengths, SIZES, 256, 131_072, Optional.empty());
        for (int i = 0; i < rows.size(); i++) {
            assertThat(100 * rows.get(i).wasteShare()).as("block %d", SIZES.get(i))
                    .isCloseTo(expected.get(i), within(0.005001));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"AzureLLMInferenceTrace_code.csv, 8819, 2047.85, 27.88, 1469, 13, 217, 13.2",
            "AzureLLMInferenceTrace_conv.csv, 19366, 1154.7, 211.13, 0, 0, 0, 1.09",
            "mooncake_conversation_trace.jsonl, 12031, 12035, 343, 0, 0, 0, 3.03"})
    void shapesOfPublicTraces(String file, int rows, double in, double out, int medianIn, int medianOut,
            double gap, double variation) {
        PageStudy.Shape shape = PageStudy.shape(Shared.trace(file));
        assertThat(shape.requests()).isEqualTo(rows);
        assertThat(shape.meanInput()).isCloseTo(in, within(0.51));
        assertThat(shape.meanOutput()).isCloseTo(out, within(0.51));
        assertThat(shape.gapVariation()).isCloseTo(variation, within(0.051));
        if (medianIn > 0) {
            assertThat(shape.medianInput()).isEqualTo(medianIn);
            assertThat(shape.medianOutput()).isEqualTo(medianOut);
            assertThat(shape.maxGapSeconds()).isCloseTo(gap, within(0.5));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"mooncake_conversation_trace.jsonl, 36.6", "mooncake_synthetic_trace.jsonl, 64.0"})
    void infiniteCacheHits(String file, double percent) {
        assertThat(100 * PageStudy.infiniteCacheHitShare(Shared.trace(file)).orElseThrow())
                .isCloseTo(percent, within(0.05));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void equalsBruteForce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] in = random.ints(30, 1, 300).toArray();
        int[] out = random.ints(30, 1, 200).toArray();
        int page = random.nextInt(1, 40);
        LengthSample lengths = LengthSample.of("random", in, out);
        double waste = 0;
        double allocated = 0;
        double steps = 0;
        double attended = 0;
        double attendedWindow = 0;
        OptionalInt window = OptionalInt.of(100);
        double held = 0;
        double heldSquare = 0;
        double windowed = 0;
        for (int i = 0; i < in.length; i++) {
            for (int j = 0; j < out[i]; j++) {
                int n = in[i] + j;
                int pages = (n + page - 1) / page;
                waste += pages * page - n;
                allocated += pages * page;
                steps++;
                attended += n + 1;
                attendedWindow += Math.min(n + 1, 100);
                double now = (n + page) / page * (double) page;
                held += now;
                heldSquare += now * now;
                windowed += Math.min(now, ((100 + page - 1) / page + 1.0) * page);
            }
        }
        PageStudy.Row row = PageStudy.of(lengths, List.of(page), 1, 1, Optional.empty()).getFirst();
        assertThat(row.wasteShare()).isCloseTo(waste / allocated, within(1e-12));
        assertThat(row.meanWasteTokens()).isCloseTo(waste / steps, within(1e-9));
        assertThat(lengths.decodeAttended(OptionalInt.empty())).isCloseTo(attended / steps, within(1e-9));
        assertThat(lengths.decodeAttended(window)).isCloseTo(attendedWindow / steps, within(1e-9));
        LengthSample.Footprint footprint = lengths.footprint(page, OptionalInt.empty());
        assertThat(footprint.mean()).isCloseTo(held / steps, within(1e-9));
        double sd = Math.sqrt(heldSquare / steps - held / steps * (held / steps));
        assertThat(footprint.sd()).isCloseTo(sd, within(0.02 * sd));
        assertThat(lengths.footprint(page, window).mean()).isCloseTo(windowed / steps, within(page * 0.51));
    }

    /** Halving an even page saves a quarter of a page where residues are uniform, and adds as much to a hit. */
    @Test
    void halvingUniformResidues() {
        int[] in = new int[1600];
        int[] out = new int[1600];
        for (int i = 0; i < in.length; i++) {
            in[i] = 1000 + i % 1599;
            out[i] = 1 + i / 1599;
        }
        PageStudy.Row row = PageStudy.of(LengthSample.of("u", in, out), List.of(16), 256, 131_072,
                Optional.of(500)).getFirst();
        assertThat(row.halvingSavesTokens().orElseThrow()).isCloseTo(4, within(0.02));
        assertThat(row.halvingProbability().orElseThrow()).isCloseTo(0.5, within(0.002));
        assertThat(row.tableBytes()).isEqualTo(8L << 20);
        assertThat(row.meanHitTokens().orElseThrow()).isEqualTo(496);
    }

    @Test
    void aPrefixHitNeverTakesTheLastToken() {
        assertThat(LengthSample.hit(64, 64, 16)).isEqualTo(48);
        assertThat(LengthSample.hit(65, 64, 16)).isEqualTo(64);
        assertThat(LengthSample.hit(1, 64, 16)).isZero();
    }
}

package dev.assay.forecast.silicon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of measured rows, good and bad. */
class SiliconFileTest {
    private static final String GOOD = "a,vllm,0.12.0,Qwen/Qwen3-32B,h100_sxm,,1024,512,,16,4,156,11.5";

    private static SiliconFile of(String... rows) {
        List<String> lines = new ArrayList<>(List.of(Synthetic.HEADER));
        lines.addAll(List.of(rows));
        return SiliconFile.parse("f.csv", lines);
    }

    @Test
    void readsWhatSyntheticRowsWere() {
        List<MeasuredRow> rows = Synthetic.rows(0.1, 2, new SplittableRandom(1));
        SiliconFile file = SiliconFile.parse("f.csv", Synthetic.csv(rows));
        assertThat(file.count()).isEqualTo(rows.size());
        assertThat(file.refusals()).isEmpty();
        assertThat(file.rows()).extracting(MeasuredRow::deployment)
                .containsExactlyElementsOf(rows.stream().map(MeasuredRow::deployment).toList());
    }

    @ParameterizedTest
    @CsvSource({"'', '', Qwen/Qwen3-32B, BF16", "'', fp8_block, Qwen/Qwen3-32B, FP8",
            "fp4, fp8, Qwen/Qwen3-32B, FP4", "'', '', nvidia/Llama-3.1-8B-Instruct-FP8, FP8",
            "'', '', nvidia/Qwen3-32B-NVFP4, FP4", "BF16, '', nvidia/Llama-3.1-8B-Instruct-FP8, BF16"})
    void precisionOfEachRow(String precision, String kernels, String model, Format expected) {
        SiliconFile file = of(
                "a,vllm,,%s,h100_sxm,%s,1024,512,%s,16,4,156,11.5".formatted(model, precision, kernels));
        assertThat(file.rows().getFirst().deployment().format()).isEqualTo(expected);
    }

    /** The row, and what the one line says. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "a,vllm,,Qwen/Qwen3-32B,h100_sxm,,0,512,,16,4,156,11.5 | f.csv line 3: field 'isl' is 0; expected a whole number from 1 to 10000000",
            "a,vllm,,Qwen/Qwen3-32B,h100_sxm,,1024,1,,16,4,156,11.5 | f.csv line 3: field 'osl' is 1; expected a whole number from 2 to 10000000",
            "a,vllm,,Qwen/Qwen3-32B,h100_sxm,,1024,512,,1.5,4,156,11.5 | f.csv line 3: field 'batch_size' is 1.5; expected a whole number from 1 to 1000000",
            "a,vllm,,Qwen/Qwen3-32B,h100_sxm,,1024,512,,16,-4,156,11.5 | f.csv line 3: field 'tp_size' is -4; expected a whole number from 1 to 1024",
            "a,vllm,,Qwen/Qwen3-32B,h100_sxm,,1024,512,,16,4,156,fast | f.csv line 3: field 'silicon_tpot_ms': expected a number, found 'fast'",
            "a,vllm,,Qwen/Qwen3-32B,h100_sxm,,1024,512,,16,4,156,0 | f.csv line 3: field 'silicon_tpot_ms' is 0.0; expected more than 0, at most 1e+09",
            "a,vllm,,Qwen/Qwen3-32B,h100_sxm,,1024,512,,16,4,NaN,11 | f.csv line 3: field 'silicon_ttft_ms': expected a number, found 'NaN'",
            "a,vllm | f.csv line 3: expected 13 columns, found 2"})
    void aMalformedRowIsOneLine(String row, String message) {
        assertThatThrownBy(() -> of(GOOD, row)).isInstanceOf(AssayException.class).hasMessage(message);
    }

    @Test
    void whatIsNotKnownIsRefusedAndCounted() {
        SiliconFile file = of(GOOD, "a,vllm,,acme/Sparse-8x9B,h100_sxm,,1024,512,,16,4,156,11.5",
                "a,vllm,,acme/Sparse-8x9B,h100_sxm,,1024,512,,32,4,156,11.5",
                "a,vllm,,Qwen/Qwen3-32B,tpu_v9,,1024,512,,16,4,156,11.5",
                "a,vllm,,Qwen/Qwen3-32B,h100_sxm,int3,1024,512,,16,4,156,11.5",
                "a,vllm,,Qwen/Qwen3-32B,h100_sxm,,1024,512,,16,7,156,11.5",
                "a,vllm,,meta-llama/Llama-3.1-70B,h100_sxm,,1024,512,,16,1,156,11.5");
        assertThat(file.count()).isEqualTo(7);
        assertThat(file.rows()).hasSize(1);
        assertThat(file.refusals()).extracting(Refusal::rows).containsExactly(2, 1, 1, 1, 1);
        assertThat(file.refusals()).extracting(Refusal::firstLine).containsExactly(3, 5, 6, 7, 8);
        assertThat(file.refusals().toString()).contains("acme/Sparse-8x9B", "tpu_v9", "int3", "tp_size 7",
                "weights need 141.1 GB");
    }

    @Test
    void headersAndFiles(@org.junit.jupiter.api.io.TempDir Path dir) {
        assertThatThrownBy(() -> SiliconFile.parse("f.csv", List.of("id,isl,osl")))
                .hasMessage("f.csv line 1: column 'backend' is missing");
        assertThatThrownBy(() -> SiliconFile.parse("f.csv", List.of())).hasMessageContaining("empty");
        assertThatThrownBy(() -> SiliconFile.parse("f.csv", List.of(Synthetic.HEADER)))
                .hasMessageContaining("0 rows");
        assertThatThrownBy(() -> SiliconFile.read(dir.resolve("none.csv")))
                .hasMessageContaining("no such file");
        assertThatThrownBy(() -> SiliconFile.read(dir)).hasMessageContaining("expected a CSV file");
    }
}

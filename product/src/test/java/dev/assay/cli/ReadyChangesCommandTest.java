package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.review.Proposal.ChangeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code assay new} and {@code assay lint} print of the ready changes, word by word. */
class ReadyChangesCommandTest {
    @TempDir
    Path temp;

    private Path review() {
        return temp.resolve("r");
    }

    private Cli make(ChangeKind kind) {
        return Cli.run("new", review().toString(), "--template", kind.name().toLowerCase(Locale.ROOT),
                "--baseline", "server --port {port}", "--candidate", "server --port {port} --new");
    }

    @ParameterizedTest
    @EnumSource(ChangeKind.class)
    void aTemplateWithItsCommandsIsReady(ChangeKind kind) {
        Cli made = make(kind);
        assertThat(made.out()).isEqualTo("made " + review().resolve("review.yaml") + "; next: assay lint "
                + review() + System.lineSeparator());
        Cli lint = Cli.run("lint", review().toString());
        assertThat(lint.out()).isEqualTo("ready to predict and seal" + System.lineSeparator());
        assertThat(lint.err()).isEmpty();
        assertThat(lint.code()).isEqualTo(Exit.DONE);
    }

    /** vLLM's usual formats, which the embedded engine does not compute with, can be stated in a review. */
    @Test
    void formatsOfOtherEnginesAreStatedAndFalseOnesNamed() throws IOException {
        assertThat(Cli.run("new", review().toString(), "--template", "KV-quantization", "--baseline",
                "server --port {port}", "--candidate", "server --port {port} --kv-cache-dtype fp8").code())
                .isEqualTo(Exit.DONE);
        Path file = review().resolve("review.yaml");
        String yaml = Files.readString(file);
        Files.writeString(file, yaml.replace("kv: q8_0", "kv: fp8"));
        assertThat(Cli.run("lint", review().toString()).out())
                .isEqualTo("ready to predict and seal" + System.lineSeparator());
        Files.writeString(file, yaml.replace("kv: q8_0", "kv: fp7"));
        assertThat(Cli.run("lint", review().toString()).err())
                .contains("field 'arms.candidate.settings.kv': expected one of f32, bf16, f16, fp8,",
                        "found 'fp7'");
    }

    @Test
    void anUnknownTemplateNamesTheKinds() {
        assertThat(Cli.run("new", review().toString(), "--template", "kv").err())
                .contains(
                        "'kv' is none; expected one of batch_cap, token_budget, page_size, weight_quantization,");
    }

    @Test
    void lintSaysWhatIsWrongOneLineEach() throws IOException {
        make(ChangeKind.FUSED_EPILOGUE);
        Path file = review().resolve("review.yaml");
        String yaml = Files.readString(file).replaceFirst("(?s)\nmeasured:.*?\n\n", "\n")
                .replace("--new\"", "--new --threads 2\"");
        Files.writeString(file, yaml + "claims:\n  - {id: step, drop: true}\n");
        Cli lint = Cli.run("lint", review().toString());
        assertThat(lint.out().lines()).containsExactly(
                "refused: field 'arms': the arms differ in threads, which the forecast ignores; expected changes of"
                        + " max_num_seqs, max_num_batched_tokens, block_size, num_blocks, weights, kv,"
                        + " enable_prefix_caching, tensor_parallel_size, speculative_tokens, decode_epilogue,"
                        + " collective_path only",
                "refused: field 'claims[0]' drops the ready claim 'step'; a ready claim may be tightened, not dropped");
        assertThat(lint.code()).isEqualTo(Exit.EVIDENCE);
        Files.writeString(file, yaml.replace(" --threads 2", ""));
        assertThat(Cli.run("lint", review().toString()).out().lines()).containsExactly(
                "refused: field 'arms': the arms differ in decode_epilogue, whose effect no run of the baseline contains;"
                        + " expected measured.epilogue: the kernels' share of a decode step and their speed-up, with"
                        + " intervals");
    }
}

package dev.assay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonArrayFileTest {
    @TempDir
    Path dir;

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("a.json"), text);
    }

    /** Items of random kinds, sizes (past the parser's buffers), bytes per character and spacing come back as they were. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void eachItemIsFoundAgain(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> items = new ArrayList<>();
        StringBuilder text = new StringBuilder(" [");
        for (int i = 0; i < 300; i++) {
            String word = List.of("a", "ü", "と", "😀", "\\n", "\\u00e9").get(random.nextInt(6))
                    .repeat(random.nextInt(1, i % 50 == 0 ? 20_000 : 30));
            String item = switch (random.nextInt(4)) {
                case 0 -> "{\"v\": [\"" + word + "\", {\"k\" : null}]}";
                case 1 -> "\"" + word + "\"";
                case 2 -> Integer.toString(random.nextInt(1000));
                default -> "[1.5, true]";
            };
            items.add(item);
            text.append(i == 0 ? "" : ",").append(random.nextInt(3) == 0 ? "\n  " : "").append(item)
                    .append(random.nextInt(3) == 0 ? " " : "");
        }
        Path file = file(text.append("]\n").toString());
        JsonArrayFile.Index index = JsonArrayFile.index(file, _ -> true);
        assertThat(index.size()).isEqualTo(300);
        for (int i = 0; i < 300; i++) {
            assertThat(JsonArrayFile.text(file, index, i).strip()).isEqualTo(items.get(i));
        }
    }

    @Test
    void itemsThatAreNotWantedAreLeftOut() throws IOException {
        Path file = file("[1, 2, 3, 4]");
        JsonArrayFile.Index even = JsonArrayFile.index(file, v -> v.asLong() % 2 == 0);
        assertThat(even.size()).isEqualTo(2);
        assertThat(JsonArrayFile.text(file, even, 1)).isEqualTo("4");
    }

    @Test
    void faultsNameTheirPlace() throws IOException {
        assertThatThrownBy(() -> JsonArrayFile.index(file("{}"), _ -> true))
                .hasMessageContaining("a.json:1: expected an array");
        assertThatThrownBy(() -> JsonArrayFile.index(file("[1,\n{\"a\":1,\"a\":2}]"), _ -> true))
                .hasMessageContaining("a.json:2").hasMessageContaining("stands twice");
        assertThatThrownBy(() -> JsonArrayFile.index(file("[1] 2"), _ -> true))
                .hasMessageContaining("expected the end");
        assertThatThrownBy(() -> JsonArrayFile.index(dir.resolve("none"), _ -> true))
                .hasMessageContaining("no such file");
    }
}

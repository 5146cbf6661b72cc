package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoadWordsTest {
    private static JsonValue yaml(String text) {
        return Json.parseYaml(text, "review.yaml");
    }

    @Test
    void wordsBecomeNumbersAndTheRestStays() {
        String text = """
                title: "find ütf \\u00e9"   # find
                objective: {load_points: [above, 'overload'], metric: above}  # above
                constraints:
                  - load_points:
                      - low   # idle
                      - "below"
                load_points:   find   # mine
                """;
        assertThat(LoadWords.written(text, yaml(text), 10, "note")).isEqualTo("""
                title: "find ütf \\u00e9"   # find
                objective: {load_points: [12.5, 16], metric: above}  # above
                constraints:
                  - load_points:
                      - 5   # idle
                      - 8
                load_points:   [5, 8, 12.5, 16]   # mine
                """);
        String plain = "load_points: find\n";
        assertThat(LoadWords.written(plain, yaml(plain), 0.1234, "note"))
                .isEqualTo("load_points: [0.0617, 0.0987, 0.154, 0.197]  # note\n");
    }

    /** However a crossing lies, the points read back are those of the list, so that a name always finds its point. */
    @ParameterizedTest
    @MethodSource("crossings")
    void namesAndListAgree(double crossing) {
        String text = "load_points: find\na: {load_points: [low, below, above, overload]}\n";
        JsonValue.Obj now = yaml(LoadWords.written(text, yaml(text), crossing, "n")).asObject();
        List<JsonValue> list = now.require("load_points").asList();
        List<JsonValue> named = now.require("a").asObject().require("load_points").asList();
        for (int i = 0; i < 4; i++) {
            assertThat(named.get(i).asDouble()).isEqualTo(list.get(i).asDouble());
            assertThat(i == 0 || list.get(i).asDouble() > list.get(i - 1).asDouble()).isTrue();
        }
    }

    static List<Double> crossings() {
        SplittableRandom random = new SplittableRandom(9);
        return IntStream.range(0, 200).mapToObj(_ -> Math.exp(random.nextDouble(-5, 9))).toList();
    }

    @Test
    void aNumberBesideFindIsRefused() {
        assertThatThrownBy(
                () -> LoadWords.drafted(yaml("load_points: find\nobjective: {load_points: [8]}\n")))
                .isInstanceOf(AssayException.class)
                .hasMessage(
                        "review.yaml:2:27: field 'load_points': expected one of low, below, above, overload"
                                + " while the load points are to be found, found a whole number");
        assertThatThrownBy(
                () -> LoadWords.drafted(yaml("load_points: find\nclaims: [{load_points: [knee]}]\n")))
                .hasMessageContaining("found 'knee'");
        assertThat(LoadWords.asked(yaml("load_points: [1, 2]\n"))).isEmpty();
    }
}

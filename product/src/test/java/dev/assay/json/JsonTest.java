package dev.assay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    record Anything(JsonValue value) {
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"{\"a\":1,\"a\":2} | f.json:1:8: field 'a' stands twice",
            "{\"a\":{\"b\":1,\"b\":1}} | f.json:1:13: field 'b' stands twice",
            "{} {} | f.json:1:4: expected the end, found more", "{} x | f.json:1:4: ", "[1,] | f.json:1:4: ",
            "{\"a\":1,} | f.json:1:8: ", "{a:1} | f.json:1:2: ", "[1 2] | f.json:1:4: ", "{\"a\" 1} | f.json:1:6: ",
            "[1 | f.json:1:3: ", "[01] | f.json:1:3: ", "[.5] | f.json:1:2: ", "[1.] | f.json:1:3: ",
            "[+1] | f.json:1:3: ", "[NaN] | f.json:1:", "[-Infinity] | f.json:1:", "nul | f.json:1:1: ",
            "// c | f.json:1:1: ", "'a' | f.json:1:1: ", "\"\\x\" | f.json:1:3: ", "\"abc | f.json:1:5: ",
            "[1e400] | f.json:1:2: expected a finite number, found 1e400"})
    void refusesWhatIsNotJson(String text, String message) {
        assertThatThrownBy(() -> Json.parse(text, "f.json")).isInstanceOf(AssayException.class)
                .hasMessageStartingWith(message)
                .extracting(Throwable::getMessage).asString()
                .doesNotContain("\n", "ReadFeature", "Source:").hasSizeLessThan(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  \n"})
    void refusesNothing(String text) {
        assertThatThrownBy(() -> Json.parse(text, "f.json")).hasMessage("f.json: expected a document, found nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void refusesHostileDepthInOneLine(String open) {
        assertThatThrownBy(() -> Json.parse(open.repeat(100_000), "deep.json")).isInstanceOf(AssayException.class)
                .hasMessageStartingWith("deep.json:1:").hasMessageContaining("nesting depth")
                .hasMessageNotContaining("\n");
    }

    @Test
    void namesThePlaceOfEveryNode() {
        JsonValue.Obj tree = Json.parse("{\n  \"a\": [1,\n   true]\n}", "f.json").asObject();

        assertThat(tree.at()).hasToString("f.json:1:1");
        assertThat(tree.require("a").at()).hasToString("f.json:2:8");
        assertThat(tree.require("a").asList().get(1).at()).hasToString("f.json:3:4");
        assertThatThrownBy(() -> tree.require("a").asList().get(1).asLong())
                .hasMessage("f.json:3:4: expected a whole number, found true or false");
        assertThatThrownBy(() -> tree.require("b")).hasMessage("f.json:1:1: field 'b' is missing");
    }

    @Test
    void keepsIntegersExactAndLetsTheRestBeDoubles() {
        List<JsonValue> numbers = Json.parse("[9223372036854775807, 9223372036854775808, 1.0, -0.0, 1e-400]", "n").asList();

        assertThat(numbers.get(0).asLong()).isEqualTo(Long.MAX_VALUE);
        assertThat(numbers.get(1).asDouble()).isEqualTo(0x1p63);
        assertThat(numbers.get(2)).isInstanceOf(JsonValue.Real.class);
        assertThat(numbers.get(3).asDouble()).isEqualTo(-0.0);
        assertThat(numbers.get(4).asDouble()).isZero();
    }

    @Test
    void messagesStayOneLineWhateverTheTextHolds() {
        String name = "x\\n\\u0007" + "y".repeat(500);

        assertThatThrownBy(() -> Json.parse("{\"" + name + "\":1,\"" + name + "\":1}", "f.json"))
                .extracting(Throwable::getMessage).asString()
                .startsWith("f.json:1:516: field 'x\\n?yyy").doesNotContain("\n").hasSizeLessThan(140);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void readsBackWhatItWrites(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            Anything written = new Anything(Json.tree(content(random, 4)));

            Anything pretty = Json.read(Json.pretty(written), Anything.class, "pretty");
            assertThat(Json.canonical(pretty)).isEqualTo(Json.canonical(written));
            assertThat(Json.pretty(pretty)).as("a second writing").isEqualTo(Json.pretty(written));
            assertThat(Json.canonical(Json.parse(Json.canonical(written), "canonical"))).as("canonical is a fixed point")
                    .isEqualTo(Json.canonical(written));
        }
    }

    private static Object content(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> random.nextLong(-(1L << 53), 1L << 53);
            case 1 -> random.nextDouble() * Math.pow(10, random.nextInt(-300, 300));
            case 2 -> random.nextBoolean();
            case 3 -> text(random);
            case 4 -> {
                List<Object> items = new ArrayList<>();
                random.ints(random.nextInt(4)).forEach(_ -> items.add(content(random, depth - 1)));
                yield items;
            }
            default -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                random.ints(random.nextInt(4)).forEach(_ -> fields.put(text(random), content(random, depth - 1)));
                yield fields;
            }
        };
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(8); n > 0; n--) {
            int c = random.nextInt(5) == 0 ? random.nextInt(0x10000, 0x110000) : random.nextInt(0xd800);
            text.appendCodePoint(random.nextBoolean() ? c : c % 128);
        }
        return text.toString();
    }

    @Test
    void writesForPeople() {
        assertThat(Json.pretty(Json.parse("{\"b\":[1,2],\"a\":[{\"c\":[]}],\"d\":{}}", "x"))).isEqualTo("""
                {
                  "b": [1, 2],
                  "a": [
                    {
                      "c": []
                    }
                  ],
                  "d": {}
                }
                """);
    }

    @Test
    void filesAreNamedInFaults(@TempDir Path dir) throws IOException {
        Path absent = dir.resolve("absent.json");
        assertThatThrownBy(() -> Json.parseFile(absent)).isInstanceOf(AssayException.class)
                .hasMessage(absent + ": no such file");

        Path latin = Files.write(dir.resolve("latin.json"), new byte[] {'"', (byte) 0xe9, '"'});
        assertThatThrownBy(() -> Json.parseFile(latin)).isInstanceOf(AssayException.class)
                .hasMessage(latin + ": expected text in UTF-8, found other bytes");

        assertThatThrownBy(() -> Json.parseFile(dir)).isInstanceOf(AssayException.class)
                .hasMessageStartingWith(dir + ": cannot be read: ");
    }
}

package dev.assay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracles: the vectors printed in RFC 8785 (sections 3.2.2, 3.2.3, Appendix B) and FIPS 180-4's digest of "abc". */
class CanonicalTest {

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({"0000000000000000, 0", "8000000000000000, 0", "0000000000000001, 5e-324", "8000000000000001, -5e-324",
            "7fefffffffffffff, 1.7976931348623157e+308", "ffefffffffffffff, -1.7976931348623157e+308",
            "4340000000000000, 9007199254740992", "c340000000000000, -9007199254740992",
            "4430000000000000, 295147905179352830000", "44b52d02c7e14af5, 9.999999999999997e+22",
            "44b52d02c7e14af6, 1e+23", "44b52d02c7e14af7, 1.0000000000000001e+23",
            "444b1ae4d6e2ef4e, 999999999999999700000", "444b1ae4d6e2ef4f, 999999999999999900000",
            "444b1ae4d6e2ef50, 1e+21", "3eb0c6f7a0b5ed8c, 9.999999999999997e-7", "3eb0c6f7a0b5ed8d, 0.000001",
            "41b3de4355555553, 333333333.3333332", "41b3de4355555554, 333333333.33333325",
            "41b3de4355555555, 333333333.3333333", "41b3de4355555556, 333333333.3333334",
            "41b3de4355555557, 333333333.33333343", "becbf647612f3696, -0.0000033333333333333333",
            "43143ff3c1cb0959, 1424953923781206.2"})
    void writesTheNumbersOfAppendixB(String bits, String expected) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(Json.canonical(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesWhatIsNoNumber(double value) {
        assertThatThrownBy(() -> Json.canonical(value)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JSON has no");
    }

    /** Brute force: the fewest digits, rounded from the exact value, that read back as the same double. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void writesTheShortestDigitsThatReadBack(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 5_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value) && value != 0) {
                String written = Json.canonical(value);
                assertThat(new BigDecimal(written)).as("bits %x", Double.doubleToRawLongBits(value))
                        .isEqualByComparingTo(shortest(value));
                assertThat(Double.parseDouble(written)).isEqualTo(value);
            }
        }
    }

    private static BigDecimal shortest(double value) {
        for (int digits = 1; digits <= 17; digits++) {
            BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == value) {
                return rounded;
            }
        }
        throw new AssertionError("17 digits tell every double apart: " + value);
    }

    @Test
    void writesTheExampleOfSection322() {
        String text = """
                {
                  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }""";

        assertThat(Json.canonical(Json.parse(text, "rfc"))).isEqualTo(
                "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void sortsFieldsByUtf16UnitsAsInSection323() {
        String text = """
                {"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                 "1": "One", "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
                 "\\u00f6": "Latin Small Letter O With Diaeresis"}""";

        String canonical = Json.canonical(Json.parse(text, "rfc"));

        assertThat(Json.parse(canonical, "canonical").asObject().fields().values()).extracting(JsonValue::asText)
                .containsExactly("Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis",
                        "Euro Sign", "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh");
    }

    @Test
    void sortsAtEveryDepthAndKeepsLists() {
        JsonValue tree = Json.parse("{\"b\": [3, {\"z\": 1, \"a\": {}}, []], \"a\": null}", "t");

        assertThat(Json.canonical(tree)).isEqualTo("{\"a\":null,\"b\":[3,{\"a\":{},\"z\":1},[]]}");
    }

    @Test
    void escapesControlsAndNothingElse() {
        assertThat(Json.canonical("\b\t\n\f\r\u0000\u001f\u007f\u2028/\"\\é"))
                .isEqualTo("\"\\b\\t\\n\\f\\r\\u0000\\u001f\u007f\u2028/\\\"\\\\é\"");
    }

    @ParameterizedTest
    @ValueSource(longs = {(1L << 53) + 1, -(1L << 53) - 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void refusesIntegersThatOtherReadersWouldRound(long value) {
        assertThatThrownBy(() -> Json.canonical(Map.of("n", value))).isInstanceOf(AssayException.class)
                .hasMessage("a canonical document holds integers that a double holds, found " + value
                        + ": write it as a text");
        assertThat(Json.parse(Json.pretty(value), "p").asLong()).isEqualTo(value);
    }

    @Test
    void holdsTheLargestExactIntegers() {
        assertThat(Json.canonical(List.of(1L << 53, -(1L << 53)))).isEqualTo("[9007199254740992,-9007199254740992]");
    }

    @Test
    void readsBackLargeDoublesThatLookLikeIntegers() {
        String canonical = Json.canonical(885138181638582100.0);

        assertThat(canonical).isEqualTo("885138181638582100");
        assertThat(Json.canonical(Json.parse(canonical, "c"))).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\ude00", "a\ude00\ud83d", "\ud83dx"})
    void refusesHalfASurrogatePairAsItHasNoUtf8(String lone) {
        assertThatThrownBy(() -> Json.digest(lone)).isInstanceOf(AssayException.class)
                .hasMessageContaining("half a surrogate pair");
        assertThat(Json.parse(Json.pretty(lone), "p").asText()).isEqualTo(lone);
        assertThat(Json.pretty(lone)).as("writable as UTF-8").doesNotContain(lone);
    }

    @Test
    void digestsTheUtf8BytesOfTheCanonicalForm() {
        assertThat(Json.sha256("abc".getBytes(java.nio.charset.StandardCharsets.US_ASCII)))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(Json.digest(Json.parse("{ \"b\":1.0,\"a\":\"é\" }", "x")))
                .isEqualTo(Json.sha256("{\"a\":\"é\",\"b\":1}".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }
}

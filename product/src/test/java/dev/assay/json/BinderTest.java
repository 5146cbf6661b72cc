package dev.assay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BinderTest {

    enum Colour {
        RED, DARK_BLUE
    }

    sealed interface Shape {
    }

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("radius must be at least 0, found " + radius);
            }
        }
    }

    sealed interface Cornered extends Shape {
    }

    record SmallSquare(int side) implements Cornered {
    }

    record Leaf(long countNanos, Optional<String> note, OptionalDouble p95Ms) {
    }

    record Root(String name, int n, boolean on, Colour colour, Shape shape, List<Leaf> leaves, Map<String, Double> weights) {
    }

    record Fixed(SmallSquare square) {
    }

    private static final String GOOD = "{\"name\":\"x\",\"n\":3,\"on\":true,\"colour\":\"dark_blue\","
            + "\"shape\":{\"kind\":\"circle\",\"radius\":2},\"leaves\":[{\"count_nanos\":5,\"p95_ms\":1.5}],"
            + "\"weights\":{\"a\":1}}";

    @Test
    void bindsEveryKindOfComponent() {
        Root root = Json.read(GOOD, Root.class, "f.json");

        assertThat(root).isEqualTo(new Root("x", 3, true, Colour.DARK_BLUE, new Circle(2),
                List.of(new Leaf(5, Optional.empty(), OptionalDouble.of(1.5))), Map.of("a", 1.0)));
    }

    @ParameterizedTest(name = "{0} to {1}: {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "\"n\":3 | \"n\":\"3\" | :1:17: field 'n': expected a whole number, found '3'",
            "\"n\":3 | \"n\":3.5 | :1:17: field 'n': expected a whole number, found a number",
            "\"n\":3 | \"n\":3000000000 | :1:17: field 'n': expected a whole number below 2^31, found a whole number",
            "\"n\":3 | \"n\":null | :1:17: field 'n': expected a whole number, found null",
            "\"n\":3, | `` | :1:1: field 'n' is missing; expected a whole number",
            "\"n\":3 | \"m\":3,\"n\":3 | :1:17: unknown field 'm'; expected one of name, n, on, colour, shape, leaves, weights",
            "\"on\":true | \"on\":1 | :1:24: field 'on': expected true or false, found a whole number",
            "\"dark_blue\" | \"DARK_BLUE\" | :1:38: field 'colour': expected one of red, dark_blue, found 'DARK_BLUE'",
            "\"circle\" | \"cone\" | :1:58: field 'shape': expected field 'kind' as one of circle, small_square, found an object",
            "\"kind\":\"circle\", | `` | :1:58: field 'shape': expected field 'kind' as one of circle, small_square, found an object",
            "\"radius\":2 | \"radius\":-2 | :1:58: shape: radius must be at least 0, found -2.0",
            "\"radius\":2 | \"side\":2 | :1:82: unknown field 'shape.side'; expected one of radius",
            "\"count_nanos\":5, | `` | :1:97: field 'leaves[0].count_nanos' is missing; expected a whole number",
            "\"p95_ms\":1.5 | \"p95_ms\":\"1\" | :1:123: field 'leaves[0].p95_ms': expected a number, found '1'",
            "{\"a\":1} | {\"a\":null} | :1:144: field 'weights.a': expected a number, found null",
            "{\"a\":1} | [] | :1:139: field 'weights': expected an object, found a list",
            "{\"a\":1} | null | :1:139: field 'weights': expected an object, found null"})
    void namesPlaceFieldAndExpectation(String part, String instead, String message) {
        assertThat(GOOD).contains(part);
        String bad = GOOD.replace(part, instead);

        assertThatThrownBy(() -> Json.read(bad, Root.class, "f.json")).isInstanceOf(AssayException.class)
                .hasMessage("f.json" + message);
    }

    @Test
    void aWrongTextIsCutAndKeptOnOneLine() {
        assertThatThrownBy(() -> Json.read("{\"n\":\"a\\nb" + "c".repeat(999) + "\"}", Root.class, "f.json"))
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"count_nanos\":1}", "{\"count_nanos\":1,\"note\":null,\"p95_ms\":null}"})
    void absentAndNullOptionalsAreEmpty(String text) {
        assertThat(Json.read(text, Leaf.class, "f")).isEqualTo(new Leaf(1, Optional.empty(), OptionalDouble.empty()));
    }

    @Test
    void emptyOptionalsAreNotWritten() {
        assertThat(Json.canonical(new Leaf(1, Optional.empty(), OptionalDouble.empty()))).isEqualTo("{\"count_nanos\":1}");
    }

    @Test
    void aComponentOfOneKindReadsWhatItWrites() {
        Fixed fixed = new Fixed(new SmallSquare(3));

        assertThat(Json.canonical(fixed)).isEqualTo("{\"square\":{\"kind\":\"small_square\",\"side\":3}}");
        assertThat(Json.read(Json.canonical(fixed), Fixed.class, "f")).isEqualTo(fixed);
        assertThatThrownBy(() -> Json.read("{\"square\":{\"kind\":\"circle\",\"side\":3}}", Fixed.class, "f"))
                .hasMessageContaining("one of small_square");
    }

    @Test
    void mapsAreWrittenInOneOrderWhateverTheirOwn() {
        Map<String, Long> one = new LinkedHashMap<>();
        one.put("b", 1L);
        one.put("a", 2L);

        assertThat(Json.pretty(one)).isEqualTo("{\n  \"a\": 2,\n  \"b\": 1\n}\n");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14})
    void recordsSurviveWritingAndReading(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 100; i++) {
            Root root = root(random);

            assertThat(Json.read(Json.pretty(root), Root.class, "pretty")).isEqualTo(root);
            assertThat(Json.read(Json.canonical(root), Root.class, "canonical")).isEqualTo(root);
        }
    }

    private static Root root(SplittableRandom random) {
        List<Leaf> leaves = new ArrayList<>();
        Map<String, Double> weights = new LinkedHashMap<>();
        for (int n = random.nextInt(4); n > 0; n--) {
            leaves.add(new Leaf(random.nextLong(1L << 53),
                    random.nextBoolean() ? Optional.of("n\"\n" + random.nextInt()) : Optional.empty(),
                    random.nextBoolean() ? OptionalDouble.of(random.nextDouble()) : OptionalDouble.empty()));
            weights.put("w" + random.nextInt(99), random.nextInt(5) * 0.5);
        }
        Shape shape = random.nextBoolean() ? new Circle(random.nextInt(9)) : new SmallSquare(random.nextInt());
        return new Root("é\u0001" + random.nextInt(), random.nextInt(), random.nextBoolean(),
                Colour.values()[random.nextInt(2)], shape, leaves, weights);
    }

    @Test
    void snakeCaseSplitsBeforeCapitalsOnly() {
        assertThat(Binder.snake("ttftFromSentMs")).isEqualTo("ttft_from_sent_ms");
        assertThat(Binder.snake("p95Ms")).isEqualTo("p95_ms");
        assertThat(Binder.snake("e2e")).isEqualTo("e2e");
    }
}

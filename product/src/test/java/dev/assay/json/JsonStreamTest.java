package dev.assay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonStreamTest {
    private static List<JsonValue> all(String text, String... skipped) {
        List<JsonValue> documents = new ArrayList<>();
        try (JsonStream stream = JsonStream.of(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "f",
                Set.of(skipped))) {
            for (Optional<JsonValue> next = stream.next(); next.isPresent(); next = stream.next()) {
                documents.add(next.get());
            }
        }
        return documents;
    }

    @Test
    void documentsMayStandOneAfterAnother() {
        assertThat(all("{\"a\":1}\n{\"a\":2}{\"a\":3} [4]\n\n").stream().map(JsonValue::kind))
                .containsExactly("an object", "an object", "an object", "a list");
        assertThat(all("  \n")).isEmpty();
    }

    @Test
    void pythonsNumbersAreRead() {
        JsonValue.Obj o = all("{\"a\": Infinity, \"b\": -Infinity, \"c\": NaN, \"d\": [NaN, 2]}").getFirst()
                .asObject();
        assertThat(o.require("a").asText()).isEqualTo("inf");
        assertThat(o.require("b").asText()).isEqualTo("-inf");
        assertThat(o.get("c")).isEmpty();
        assertThat(o.require("d").asList().getFirst()).isInstanceOf(JsonValue.Null.class);
    }

    @Test
    void aFieldThatStandsTwiceIsNamedAlsoWhereItIsSkipped() {
        assertThatThrownBy(() -> all("{\"a\": 1,\n \"a\": 2}")).isInstanceOf(AssayException.class)
                .hasMessage("f:2:2: field 'a' stands twice");
        assertThatThrownBy(() -> all("{\"a\": [1], \"a\": [2]}", "a"))
                .hasMessageContaining("field 'a' stands twice");
    }

    @Test
    void skippedFieldsAreNullAtAnyDepth() {
        JsonValue.Obj o = all("{\"x\": {\"big\": [[1], {\"y\": 2}], \"z\": 3}, \"big\": \"t\"}", "big")
                .getFirst()
                .asObject();
        assertThat(o.get("big")).isEmpty();
        assertThat(o.require("x").asObject().get("big")).isEmpty();
        assertThat(o.require("x").asObject().require("z").asLong()).isEqualTo(3);
    }

    @Test
    void whatIsCutOffIsAFault() {
        assertThatThrownBy(() -> all("{\"a\": 1}\n{\"a\":")).isInstanceOf(AssayException.class)
                .hasMessageStartingWith("f:2:");
        assertThatThrownBy(() -> all("{\"a\": 1} x")).isInstanceOf(AssayException.class);
    }
}

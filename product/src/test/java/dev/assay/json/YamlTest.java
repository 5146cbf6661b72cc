package dev.assay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The known traps of YAML: a review must mean what its author sees, or be refused. */
class YamlTest {

    record Switch(boolean on) {}

    record Count(int n) {}

    record Name(String name) {}

    private static JsonValue field(String scalar) {
        return Json.parseYaml("a: " + scalar, "f.yaml").asObject().require("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "yes", "No", "on", "off", "y", "n", "012", "0o12", "0x1F", "0b11", "1_000",
            "+5",
            "12:30:45", "2024-01-01", "1.5.2", "NaN", "Infinity", "1d", "1e"})
    void ambiguousWordsStayTheTextThatIsSeen(String word) {
        assertThat(field(word).asText()).isEqualTo(word);
    }

    @Test
    void ambiguousWordsAreNoTruthValuesAndNoNumbers() {
        assertThatThrownBy(() -> Json.bind(Json.parseYaml("on: no", "f.yaml"), Switch.class))
                .hasMessage("f.yaml:1:5: field 'on': expected true or false, found 'no'");
        assertThatThrownBy(() -> Json.bind(Json.parseYaml("n: 012", "f.yaml"), Count.class))
                .hasMessage("f.yaml:1:4: field 'n': expected a whole number, found '012'");
        assertThatThrownBy(() -> Json.bind(Json.parseYaml("name: 12", "f.yaml"), Name.class))
                .hasMessage("f.yaml:1:7: field 'name': expected a text, found a whole number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "True", "TRUE"})
    void truthHasTheSpellingsOfTheCoreSchema(String word) {
        assertThat(field(word).asBoolean()).isTrue();
        assertThat(field("'" + word + "'").asText()).isEqualTo(word);
        assertThat(field('"' + word + '"').asText()).isEqualTo(word);
    }

    @ParameterizedTest
    @ValueSource(strings = {"~", "null", "Null", "NULL", ""})
    void nullHasTheSpellingsOfTheCoreSchema(String word) {
        assertThat(Json.parseYaml("a: " + word, "f.yaml").asObject().get("a")).isEmpty();
        assertThat(field("'" + word + "'").asText()).isEqualTo(word);
    }

    @Test
    void placesHoldAfterCharactersOutsideTheBasicPlane() {
        JsonValue.Obj tree = Json.parseYaml("a: \ud83d\ude00\nb: ~\nc: '~'\n", "f.yaml").asObject();

        assertThat(tree.get("b")).isEmpty();
        assertThat(tree.require("c").asText()).isEqualTo("~");
        assertThat(tree.require("c").at()).hasToString("f.yaml:3:4");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
            "a: 1;a: 2|f.yaml:2:1: field 'a' stands twice",
            "a: 1;---;b: 2|f.yaml:3:1: expected the end, found more",
            "a: &x 1;b: *x|f.yaml:2:4: expected plain YAML without anchors (&), aliases (*) and tags (!)",
            "a: &x {c: 1};b: *x|f.yaml:1:4: expected plain YAML without anchors",
            "a: !foo 1|f.yaml:1:4: expected plain YAML without anchors",
            "a: !!int '5'|f.yaml:1:4: expected plain YAML",
            "a: !!binary aGk=|f.yaml:1:4: expected plain YAML",
            "a: .inf|f.yaml:1:4: expected a finite number, found .inf",
            "a: .nan|f.yaml:1:4: expected a finite number", "a: 1e999|f.yaml:1:4: expected a finite number",
            "a: b: c|f.yaml:1:5: mapping values are not allowed here", "a: {b: 1|f.yaml:1:9: ",
            "a: -|f.yaml:1:2: ",
            "? [a, b];: 1|f.yaml:1:", "a: @x|f.yaml:1:", "...|f.yaml:1:1: "})
    void refusesInOneLine(String text, String message) {
        assertThatThrownBy(() -> Json.parseYaml(text.replace(';', '\n'), "f.yaml"))
                .isInstanceOf(AssayException.class)
                .hasMessageStartingWith(message).hasMessageNotContaining("\n");
    }

    @Test
    void namesTabs() {
        assertThatThrownBy(() -> Json.parseYaml("a:\n\tb: 1", "f.yaml")).isInstanceOf(AssayException.class)
                .hasMessageStartingWith("f.yaml:").hasMessageContaining("TAB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# only a comment\n", "\n\n"})
    void refusesAnEmptyFile(String text) {
        assertThatThrownBy(() -> Json.parseYaml(text, "f.yaml"))
                .hasMessage("f.yaml: expected a document, found nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- "})
    void refusesHostileDepth(String open) {
        assertThatThrownBy(() -> Json.parseYaml(open.repeat(20_000), "deep.yaml"))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("nesting depth").hasMessageNotContaining("\n");
    }

    @Test
    void refusesHostileSize() {
        assertThatThrownBy(() -> Json.parseYaml("a: " + "x".repeat(4_000_000), "big.yaml"))
                .isInstanceOf(AssayException.class)
                .hasMessage("big.yaml: 4000003 characters of YAML; the limit is 3145728");
    }

    @Test
    void theFileNameDecidesTheFormat(@TempDir Path dir) throws IOException {
        Path yaml = Files.writeString(dir.resolve("a.yaml"), "name: x # comment\n");
        Path json = Files.writeString(dir.resolve("a.json"), "name: x\n");

        assertThat(Json.readFile(yaml, Name.class)).isEqualTo(new Name("x"));
        assertThatThrownBy(() -> Json.readFile(json, Name.class)).hasMessageStartingWith("a.json:1:");
    }
}

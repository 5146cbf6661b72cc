package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code assay forecast accuracy} as its users call it, on a small file of made-up rows. */
class ForecastAccuracyCommandTest {
    @TempDir
    Path temp;

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(
                Objects.requireNonNull(ForecastAccuracyCommandTest.class.getResource(name), name).toURI());
    }

    @Test
    void textIsAsRecorded() throws IOException, URISyntaxException {
        Cli run = Cli.run("forecast", "accuracy", resource("silicon.csv").toString());
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.DONE);
        assertThat(run.out()).isEqualTo(Files.readString(resource("silicon.txt")));
        assertThat(run.out().lines()).allSatisfy(l -> assertThat(l.length()).isLessThanOrEqualTo(80));
    }

    @Test
    void jsonHoldsSharesAndCounts() throws URISyntaxException {
        Cli run = Cli.run("forecast", "accuracy", resource("silicon.csv").toString(), "--json");
        JsonValue.Obj json = (JsonValue.Obj) Json.parse(run.out(), "out");
        for (String field : List.of("median_tpot_error", "median_ratio_error", "coverage_90")) {
            assertThat(number(json, field)).as(field).isBetween(0.0, 1.0);
        }
        assertThat(number(json, "rows")).isEqualTo(66);
        assertThat(number(json, "refused")).isEqualTo(6);
        JsonValue.Obj baselines = (JsonValue.Obj) json.get("baselines").orElseThrow();
        assertThat(number(baselines, "roofline")).isGreaterThan(number(json, "median_ratio_error"));
        assertThat(number(baselines, "constant_ratio")).isGreaterThan(0);
    }

    private static double number(JsonValue.Obj object, String field) {
        return object.get(field).orElseThrow().asDouble();
    }

    @Test
    void badInputIsOneLine() throws IOException, URISyntaxException {
        List<String> lines = Files.readAllLines(resource("silicon.csv"));
        Path few = Files.write(temp.resolve("few.csv"), lines.subList(0, 3));
        Cli run = Cli.run("forecast", "accuracy", few.toString());
        assertThat(run.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(run.err())
                .isEqualTo("assay: few.csv: 1 families of equal configuration in 2 rows that can be"
                        + " scored (0 refused); expected at least 3 to hold some out\n");
        Path bad = Files.write(temp.resolve("bad.csv"),
                List.of(lines.get(0), lines.get(1).replace(",512,", ",-5,")));
        Cli wrong = Cli.run("forecast", "accuracy", bad.toString());
        assertThat(wrong.code()).isEqualTo(Exit.MISUSE);
        assertThat(wrong.err()).startsWith("assay: bad.csv line 2: field '").hasLineCount(1);
        assertThat(Cli.run("forecast").out()).contains("accuracy").contains("pages");
    }
}

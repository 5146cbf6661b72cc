package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.review.ReviewView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every form of every state of a review against a file; {@code -Dassay.golden.write=true} writes the files anew, to be
 * read in the diff before they are committed.
 */
class RecordGoldenTest {
    private static final Path DIR = Path.of(System.getProperty("assay.root", ".."),
            "product/src/test/resources/dev/assay/report");

    static Stream<Arguments> views() {
        return Stream.of(Arguments.of("full", Views.full()), Arguments.of("quick", Views.quick()),
                Arguments.of("draft", Views.draft()), Arguments.of("sealed", Views.sealed()),
                Arguments.of("hostile", Views.hostile()), Arguments.of("missing", Views.missing()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("views")
    void markdown(String name, ReviewView view) throws IOException {
        golden(name + ".md", MarkdownRecord.render(view));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("views")
    void page(String name, ReviewView view) throws IOException {
        String page = HtmlRecord.render(view, "/* chart library */");
        int style = page.indexOf("<style>") + "<style>".length();
        int script = page.lastIndexOf("<script>") + "<script>".length();
        golden(name + ".html", page.substring(0, style).replaceAll("sha256-[\\w+/=]+", "sha256-")
                + page.substring(page.indexOf("</style>"), script)
                + page.substring(page.lastIndexOf("</script>")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("views")
    void terminal(String name, ReviewView view) throws IOException {
        golden(name + "-80.txt", TerminalReport.render(view, 80, false));
        golden(name + "-120.txt", TerminalReport.render(view, 120, false));
    }

    @Test
    void anotherLocaleChangesNothing() {
        Locale before = Locale.getDefault();
        String page = HtmlRecord.render(Views.full(), "");
        String markdown = MarkdownRecord.render(Views.full());
        String terminal = TerminalReport.render(Views.full(), 80, true);
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertThat(MarkdownRecord.render(Views.full())).isEqualTo(markdown);
            assertThat(HtmlRecord.render(Views.full(), "")).isEqualTo(page);
            assertThat(TerminalReport.render(Views.full(), 80, true)).isEqualTo(terminal);
        } finally {
            Locale.setDefault(before);
        }
    }

    private static void golden(String name, String actual) throws IOException {
        Path file = DIR.resolve(name);
        if (Boolean.getBoolean("assay.golden.write")) {
            Files.createDirectories(DIR);
            Files.writeString(file, actual, StandardCharsets.UTF_8);
        }
        assertThat(actual).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
    }
}

package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text of a proposal stays text in every form. */
class HostileTextTest {
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '¦', textBlock = """
            a | b               ¦ a \\| b
            <b>                 ¦ &lt;b>
            p <0.001 & 3 < 4    ¦ p <0.001 & 3 < 4
            &lt;                ¦ &amp;lt;
            [1.0, 2.0]          ¦ [1.0, 2.0]
            [x](http://e.org)   ¦ [x\\](http://e.org)
            [x]: http://e.org   ¦ [x\\]: http://e.org
            goodput_rps         ¦ goodput_rps
            _all_               ¦ \\_all\\_
            `c` *b* ~~s~~ \\    ¦ \\`c\\` \\*b\\* \\~\\~s\\~\\~ \\\\
            """)
    void markdownEscapesMarkupAndNothingElse(String text, String markdown) {
        assertThat(Markdown.inline(text)).isEqualTo(markdown);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '¦', textBlock = """
            # head   ¦ \\# head
            - item   ¦ \\- item
            1. item  ¦ 1\\. item
            1.5 is   ¦ 1\\.5 is
            12 items ¦ 12 items
            """)
    void aParagraphBeginsNoBlock(String text, String markdown) {
        assertThat(Markdown.paragraph(text)).isEqualTo(markdown);
    }

    @Test
    void codeCannotEndItsFence() {
        assertThat(Markdown.code("a\n```\nb")).isEqualTo("````\na\n```\nb\n````\n");
    }

    @Test
    void controlAndDirectionCharactersAreReplaced() {
        assertThat(SafeText.line("a\u001b[31m\u202e\u2066b\r\n\tc\u0085d"))
                .isEqualTo("a\uFFFD[31m\uFFFD\uFFFDb c d");
        assertThat(SafeText.lines("a\r\nb\u0007")).isEqualTo("a\nb\uFFFD");
    }

    @Test
    void thePageHoldsNoTagThatNoTemplateWrote() {
        String page = HtmlRecord.render(Views.hostile(), "");
        assertThat(page).doesNotContain("<img").doesNotContain("\u202e").doesNotContain("\u001b");
        assertThat(page.split("</script>", -1)).as("three scripts end").hasSize(4);
    }

    @Test
    void theChartLibraryCannotEndItsScript() {
        String page = HtmlRecord.render(Views.draft());
        assertThat(page.split("</script>", -1)).hasSize(4);
        assertThat(page).contains("Licensed to the Apache Software Foundation");
    }

    @ParameterizedTest(name = "width {0}")
    @ValueSource(ints = {40, 80, 120})
    void noTerminalLineIsWiderThanTheTerminal(int width) {
        for (var view : new dev.assay.review.ReviewView[]{Views.full(), Views.quick(), Views.hostile(),
                Views.missing(),
                Views.sealed(), Views.draft()}) {
            String plain = TerminalReport.render(view, width, false);
            assertThat(plain.lines().mapToInt(DisplayWidth::of).max().orElse(0)).isLessThanOrEqualTo(width);
            assertThat(plain).doesNotContain("\u001b");
            assertThat(COLOUR.matcher(TerminalReport.render(view, width, true)).replaceAll("").lines()
                    .map(String::stripTrailing)).containsExactlyElementsOf(plain.lines().toList());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void wrappingLosesNothing(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int c = random.nextInt(1, 60); c > 0; c--) {
                text.appendCodePoint("ab 日é€ ".codePointAt(random.nextInt(7)));
            }
            int width = random.nextInt(4, 20);
            var lines = DisplayWidth.wrap(text.toString(), width);
            assertThat(lines.stream().mapToInt(DisplayWidth::of).max().orElse(0)).isLessThanOrEqualTo(width);
            assertThat(String.join("", lines).replace(" ", "")).isEqualTo(text.toString().replace(" ", ""));
        }
    }
}

package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.review.ReviewView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser. {@code -Dassay.screenshots=DIR} keeps pictures. Where no Chromium is installed the test
 * is skipped and says so; the build machine installs one.
 */
@Tag("together")
class RecordPageIT {
    private static final List<String> ANCHORS = List.of("", "curves", "predicted", "chain", "validity",
            "limits");

    /** Pairs of neighbours on the first screen that cover each other. */
    private static final String OVERLAPS = "[...document.querySelectorAll('.first, .answer, .verdict, .evidence')]"
            + ".flatMap(p => { const b = [...p.children].map(c => c.getBoundingClientRect()).filter(r => r.height > 0);"
            + " return b.flatMap((x, i) => b.slice(i + 1).filter(y => x.left < y.right - 1 && y.left < x.right - 1"
            + " && x.top < y.bottom - 1 && y.top < x.bottom - 1)); }).length";

    @TempDir
    static Path dir;
    private static Optional<Browser> started = Optional.empty();

    @BeforeAll
    static void start() {
        started = Browser.binary().map(binary -> Browser.start(binary, dir.resolve("profile")));
    }

    @AfterAll
    static void end() {
        started.ifPresent(Browser::close);
    }

    @BeforeEach
    void needsOne() {
        assumeTrue(started.isPresent(), "no Chromium here: apt-get install chromium chromium-driver");
        browser().console();
        browser().requests();
    }

    private static Browser browser() {
        return started.orElseThrow();
    }

    @Test
    void drawsEverythingFromOneFile() throws IOException {
        Browser browser = browser();
        check(browser, "full", Views.full(), 6);
        check(browser, "quick", Views.quick(), 6);
        check(browser, "draft", Views.draft(), 0);
        check(browser, "sealed", Views.sealed(), 0);
        check(browser, "hostile", Views.hostile(), 5);
        check(browser, "missing", Views.missing(), 4);
    }

    /** Intervals a hundred times as wide as the values leave the axis where it is, with an arrowhead at each cut. */
    @Test
    void wideIntervalsDoNotStretchAnAxis() throws IOException {
        Browser browser = browser();
        String said = "interval goes beyond the axis";
        Path narrow = Files.writeString(dir.resolve("narrow.html"), HtmlRecord.render(Views.full()));
        browser.open(narrow, 1280, 900, "light");
        String before = labels(browser, "curve-goodput_rps");
        assertThat(before).doesNotContain(said);
        Path wide = Files.writeString(dir.resolve("wide.html"), HtmlRecord.render(Views.wide()));
        browser.open(wide, 1280, 900, "light");
        for (String chart : List.of("curve-goodput_rps", "curve-ttft_p50_ms", "curve-tpot_p50_ms",
                "curve-output_tokens_per_s", "forest")) {
            assertThat(labels(browser, chart)).as(chart).contains(said);
        }
        // The objective's axis ends at the offered load, whatever the intervals.
        assertThat(labels(browser, "curve-goodput_rps").replace(said, "").strip()).isEqualTo(before);
    }

    private static String labels(Browser browser, String chart) {
        return browser.text("[...document.querySelector('[data-chart=\"" + chart
                + "\"]').querySelectorAll('svg text')].map(t => t.textContent).join(' ').trim()").strip();
    }

    /** Print leaves out what leads elsewhere and keeps the first screen; nothing is wider than the paper. */
    @Test
    void prints() throws IOException {
        Browser browser = browser();
        Path file = Files.writeString(dir.resolve("print.html"), HtmlRecord.render(Views.full()));
        browser.print(file, 720);
        for (String gone : List.of("nav", ".skip", ".next")) {
            assertThat(browser.text("getComputedStyle(document.querySelector('" + gone + "')).display"))
                    .as(gone).isEqualTo("none");
        }
        assertThat(browser.text("getComputedStyle(document.querySelector('.strip')).display"))
                .isEqualTo("block");
        browser.picture("print", "");
    }

    private static void check(Browser browser, String name, ReviewView view, int charts)
            throws IOException {
        Path file = Files.writeString(dir.resolve(name + ".html"), HtmlRecord.render(view));
        for (int width : List.of(390, 1280)) {
            // Colours move nothing: every page is seen in both, one of them at both widths.
            for (String scheme : name.equals("full")
                    ? List.of("light", "dark")
                    : List.of(width == 390 ? "dark" : "light")) {
                browser.open(file, width, width == 390 ? 900 : 1000, scheme);
                String where = name + " at " + width + " px, " + scheme;
                assertThat(browser
                        .number("document.querySelectorAll('[data-drawn] svg path').length > 0 ? 1 : 0"))
                        .as("%s: something is drawn", where).isEqualTo(charts > 0 ? 1 : 0);
                assertThat(browser.number("document.querySelectorAll('[data-drawn=\"true\"]').length"))
                        .as("%s: charts", where).isEqualTo(charts);
                assertThat(browser.number("document.documentElement.scrollWidth"))
                        .as("%s: the page must not scroll sideways", where).isLessThanOrEqualTo(width);
                assertThat(browser.number(OVERLAPS)).as("%s: boxes of the first screen that overlap", where)
                        .isZero();
                assertThat(browser.number("document.querySelectorAll('img, iframe, link, [onerror]').length"))
                        .as("%s: elements that no template has", where).isZero();
                assertThat(browser.console()).as("%s: console", where).isEmpty();
                assertThat(browser.requests()).as("%s: requests", where).isEmpty();
                for (String anchor : name.equals("full") ? ANCHORS : List.of("")) {
                    browser.picture(name + "-" + width + "-" + scheme + "-" + anchor, anchor);
                }
            }
        }
    }
}

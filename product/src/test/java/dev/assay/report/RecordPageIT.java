package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.review.ReviewView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser. {@code -Dassay.screenshots=DIR} keeps pictures. Where no Chromium is installed the test
 * is skipped and says so; the build machine installs one.
 */
class RecordPageIT {
    private static final List<String> ANCHORS = List.of("", "curves", "predicted", "chain", "validity",
            "limits");

    @Test
    void drawsEverythingFromOneFile(@TempDir Path dir) throws IOException {
        assumeTrue(Browser.binary().isPresent(),
                "no Chromium here: apt-get install chromium chromium-driver");
        try (Browser browser = Browser.start(Browser.binary().orElseThrow(), dir.resolve("profile"))) {
            check(browser, dir, "full", Views.full(), 6);
            check(browser, dir, "quick", Views.quick(), 6);
            check(browser, dir, "draft", Views.draft(), 0);
            check(browser, dir, "sealed", Views.sealed(), 0);
            check(browser, dir, "hostile", Views.hostile(), 5);
            check(browser, dir, "missing", Views.missing(), 4);
        }
    }

    private static void check(Browser browser, Path dir, String name, ReviewView view, int charts)
            throws IOException {
        Path file = Files.writeString(dir.resolve(name + ".html"), HtmlRecord.render(view));
        for (int width : List.of(400, 1400)) {
            for (String scheme : List.of("light", "dark")) {
                browser.open(file, width, width == 400 ? 900 : 1000, scheme);
                String where = name + " at " + width + " px, " + scheme;
                assertThat(browser
                        .number("document.querySelectorAll('[data-drawn] svg path').length > 0 ? 1 : 0"))
                        .as("%s: something is drawn", where).isEqualTo(charts > 0 ? 1 : 0);
                assertThat(browser.number("document.querySelectorAll('[data-drawn=\"true\"]').length"))
                        .as("%s: charts", where).isEqualTo(charts);
                assertThat(browser.number("document.documentElement.scrollWidth"))
                        .as("%s: the page must not scroll sideways", where).isLessThanOrEqualTo(width);
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

package dev.assay.report;

import dev.assay.Resources;
import dev.assay.json.Json;
import dev.assay.review.ReviewView;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The decision record as one self-contained page ({@code record.html}): the same bytes for the same view, no network,
 * and readable without its script, which only draws charts of figures that tables hold as well.
 */
public final class HtmlRecord {
    private static final String PACKAGE = "dev.assay.report.page";
    private static final String CHART_LIBRARY = "/META-INF/resources/webjars/echarts/5.3.1/dist/echarts.common.min.js";

    private HtmlRecord() {}

    /** The whole page. */
    public static String render(ReviewView view) {
        return render(view, resource(CHART_LIBRARY));
    }

    /** The page with another text in the place of the chart library. */
    static String render(ReviewView view, String library) {
        TemplateEngine engine = TemplateEngine.createPrecompiled(null, ContentType.Html,
                HtmlRecord.class.getClassLoader(), PACKAGE);
        StringOutput output = new StringOutput(1 << 20);
        engine.render("record.jte", page(view, library), output);
        return output.toString();
    }

    private static Page page(ReviewView view, String library) {
        String script = resource("record.js");
        String policy = "default-src 'none'; style-src 'unsafe-inline'; script-src '" + hash(library) + "' '"
                + hash(script) + "'; base-uri 'none'; form-action 'none'";
        return new Page(SafeText.line(view.proposal().title()), SafeText.line(view.proposal().decision()),
                QuestionSection.objective(view.proposal()), Headline.of(view), Deciding.table(view),
                Deciding.chart(view), Deciding.caption(view), Glance.of(view), ChainSection.rungs(view),
                Outline.of(view),
                new Page.Assets(resource("record.css"), library, script, policy), json(Charts.of(view)));
    }

    /** JSON that cannot end the script element it stands in, whatever its strings hold. */
    private static String json(Charts.Data data) {
        return Json.canonical(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
                .replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    }

    private static String hash(String script) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(script.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** A resource's text; line ends are made LF, for a browser hashes a script after doing so. */
    private static String resource(String name) {
        return Resources.text(HtmlRecord.class, name).replace("\r\n", "\n");
    }
}

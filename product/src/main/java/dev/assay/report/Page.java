package dev.assay.report;

import java.util.List;
import java.util.Optional;

/**
 * What the page's templates show.
 *
 * @param deciding the table beside the deciding curve, empty where nothing is measured
 * @param decidingChart the id of the curve's data
 * @param glance the review in a handful of figures
 * @param chain the causal chain for the first screen
 * @param sections in reading order
 * @param assets style and scripts, which go into the page as they are
 * @param data the charts' figures as JSON, harmless inside a script element
 */
public record Page(String title, String question, String objective, Headline headline,
        Optional<Part.Table> deciding, String decidingChart, String decidingCaption, List<Part.Fact> glance,
        List<Part.Rung> chain, List<Section> sections,
        Assets assets, String data) {
    public Page {
        glance = List.copyOf(glance);
        chain = List.copyOf(chain);
        sections = List.copyOf(sections);
    }

    /**
     * Style, chart library and script of a page, with the policy that allows these and nothing else: no network, no
     * other script.
     */
    public record Assets(String css, String library, String script, String policy) {}
}

package dev.assay.review;

import java.util.List;

/**
 * What the verdicts on the causal chain come to, by the table of DESIGN.md ("The causal chain").
 *
 * @param decision what follows for the rollout
 * @param meaning the table's row in a word or two: explained, absorbed, unexplained, rejected, not reviewable
 * @param reasons the verdicts that decided it, most important first
 */
public record Recommendation(Decision.Choice decision, String meaning, List<String> reasons) {}

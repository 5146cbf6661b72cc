package dev.assay.forecast.silicon;

/**
 * Rows that are not scored, and why.
 *
 * @param what names them: a group, a model, a system
 * @param rows how many
 * @param firstLine of the file
 * @param reason why, in one line
 */
public record Refusal(String what, int rows, int firstLine, String reason) {}

package dev.assay.review;

import java.util.List;

/**
 * One falsifiable statement of a prediction.
 *
 * @param id a short name, unique in the review
 * @param statement one sentence for people
 * @param expectation what is expected, with all that decides it
 * @param rejectedIf the condition that refutes it, in words
 * @param follows the ids of the claims it follows from
 * @param decisive whether the recommendation rests on it
 */
public record Claim(String id, Level level, String statement, Expectation expectation, String rejectedIf,
        List<String> follows, boolean decisive) {}

package dev.assay.review.ledger;

import dev.assay.review.Proposal.ChangeKind;
import java.util.List;
import java.util.Optional;

/** What a review's directory gives the ledger. */
public sealed interface Reading {
    /** Where it lies, as it was found. */
    String directory();

    /**
     * A review that was sealed and measured to its end.
     *
     * @param seal its seal's SHA-256, by which a copy is recognised
     * @param decidedAt when it was first decided (UTC, ISO 8601), empty where it was not
     */
    record Scored(String directory, String title, ChangeKind change, String seal, Optional<String> decidedAt,
            List<ScoredForecast> forecasts, List<LevelForecast> levels,
            List<LimiterCall> limiters) implements Reading {
        public Scored {
            forecasts = List.copyOf(forecasts);
            levels = List.copyOf(levels);
            limiters = List.copyOf(limiters);
        }
    }

    /** A review that is not scored, and why. */
    record LeftOut(String directory, String reason) implements Reading {}
}

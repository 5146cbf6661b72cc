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
     * @param id drawn when it was begun; a copy has the same id and seal
     * @param seal its seal's SHA-256
     * @param decidedAt when it was first decided (UTC, ISO 8601), empty where it was not
     */
    record Scored(String directory, String id, String title, ChangeKind change, String seal,
            Optional<String> decidedAt,
            List<ScoredForecast> forecasts, List<LevelForecast> levels,
            List<LimiterCall> limiters) implements Reading {
        public Scored {
            forecasts = List.copyOf(forecasts);
            levels = List.copyOf(levels);
            limiters = List.copyOf(limiters);
        }
    }

    /**
     * A review that is not scored, and why.
     *
     * @param abandoned whether its forecast was sealed and never measured to the end
     */
    record LeftOut(String directory, String reason, boolean abandoned) implements Reading {
        static LeftOut of(String directory, String reason) {
            return new LeftOut(directory, reason, false);
        }
    }
}

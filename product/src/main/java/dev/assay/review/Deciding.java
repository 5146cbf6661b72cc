package dev.assay.review;

import dev.assay.AssayException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;

/** Records a decision on a review whose verdicts are computed. */
public final class Deciding {
    private static final int EXPIRY_DAYS = 180;
    private static final List<String> TRIGGERS = List.of("the model changes", "the engine's version changes",
            "the hardware changes", "the workload's lengths or rate leave the measured range");

    private Deciding() {}

    /**
     * What the owner says; empty texts and lists take the defaults.
     *
     * @param override ship although the recommendation is another
     */
    public record Request(Decision.Choice choice, String owner, List<String> reasons, String expires,
            List<String> reevaluateWhen, boolean override) {}

    /** Records it; shipping against the recommendation needs {@code override} and a reason of its own. */
    public static Decision decide(ReviewFiles files, Request request, InstantSource clock) {
        Proposal proposal = files.proposal();
        try (Journal journal = Journal.open(files.directory(), clock)) {
            State state = State.of(journal.entries());
            if (state.verdict().isEmpty()) {
                throw AssayException.evidence("nothing to decide on: run 'assay measure' first");
            }
            Recommendation recommendation = Views.analysis(files, proposal, state).orElseThrow()
                    .recommendation();
            if (request.choice() == Decision.Choice.SHIP && recommendation.decision() != Decision.Choice.SHIP
                    && (!request.override() || request.reasons().isEmpty())) {
                throw AssayException.evidence("the recommendation is "
                        + recommendation.decision().name().toLowerCase(java.util.Locale.ROOT) + " ("
                        + recommendation.meaning()
                        + "); shipping against it takes --override and a --reason");
            }
            LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
            Decision decision = new Decision(request.choice(),
                    request.owner().isBlank() ? proposal.owner() : request.owner(), today.toString(),
                    request.reasons().isEmpty() ? recommendation.reasons() : request.reasons(),
                    expiry(request.expires(), today).toString(),
                    request.reevaluateWhen().isEmpty() ? TRIGGERS : request.reevaluateWhen());
            journal.append(new Event.Decided(decision));
            return decision;
        }
    }

    private static LocalDate expiry(String text, LocalDate today) {
        if (text.isBlank()) {
            return today.plusDays(EXPIRY_DAYS);
        }
        LocalDate day;
        try {
            day = LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw AssayException.misuse("--expires is '" + text + "'; expected a day such as 2027-06-30");
        }
        if (!day.isAfter(today)) {
            throw AssayException.misuse("--expires is " + text + "; expected a day after today, " + today);
        }
        return day;
    }
}

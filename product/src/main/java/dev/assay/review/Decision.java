package dev.assay.review;

import java.util.List;

/**
 * What an owner decided, when, why, until when it holds and what re-opens it.
 *
 * @param date the day of the decision, ISO 8601
 * @param expires the day from which it must be looked at again, ISO 8601
 */
public record Decision(Choice choice, String owner, String date, List<String> reasons, String expires,
        List<String> reevaluateWhen) {
    /** The three answers. */
    public enum Choice {
        SHIP, HOLD, REJECT
    }
}

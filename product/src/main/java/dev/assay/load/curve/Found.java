package dev.assay.load.curve;

import java.util.OptionalDouble;

/**
 * Where a search ended: the bracket of the highest load that meets the SLO.
 *
 * @param meets the highest load shown to meet the target, absent where none was
 * @param estimate where the fitted falling curve crosses the target; absent where it does not within the loads tried
 * @param misses the lowest load shown to miss it, absent where none was
 * @param reason one line on why the search ended
 */
public record Found(OptionalDouble meets, OptionalDouble estimate, OptionalDouble misses, String reason) {
    /** Whether both ends are known. */
    public boolean bracketed() {
        return meets.isPresent() && misses.isPresent();
    }
}

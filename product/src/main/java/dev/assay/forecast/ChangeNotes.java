package dev.assay.forecast;

import java.util.ArrayList;
import java.util.List;

/** What a forecast assumes and warns of because of the settings that change, one line each. */
final class ChangeNotes {
    private ChangeNotes() {}

    /** What a baseline cannot tell, with the interval that stands in for it. */
    static List<String> warnings(EngineSettings baseline, EngineSettings candidate,
            LocalMeasurements measured, boolean sharesPrefixes) {
        List<String> lines = new ArrayList<>();
        FormatEffect format = FormatEffect.of(baseline.weights(), candidate.weights());
        if (!format.isNone()) {
            lines.add("the baseline alone cannot tell what computing with the candidate's weight format costs"
                    + " on this processor (with or without instructions for either format): a factor between "
                    + format.computeLow() + " and " + format.computeHigh() + " is assumed");
        }
        KvEffect kv = KvEffect.of(baseline.kv(), candidate.kv());
        if (!kv.isNone()) {
            lines.add(
                    "the baseline alone cannot tell how far attention waits for bytes: any part of its time may"
                            + " shrink with them, the rest changes by a factor of "
                            + kv.compute().words("") + " for unpacking");
        }
        if (baseline.devices() != candidate.devices()) {
            lines.add("the baseline alone cannot tell what splitting the matrices costs: by doubling of the"
                    + " devices streaming a byte takes " + Effects.SPLIT_STREAM.words("")
                    + " and an operation "
                    + Effects.SPLIT_COMPUTE.words("") + " times as long");
            if (measured.collectives().flatMap(LocalMeasurements.Collectives::candidate).isEmpty()) {
                lines.add(
                        "measured.collectives does not state the candidate's path: an all-reduce is taken to"
                                + " cost " + Effects.ANY_LINK.alphaUs().words("us") + " and "
                                + Effects.ANY_LINK.gbPerS().words("GB/s"));
            }
        }
        if (sharesPrefixes && baseline.cachesPrefixes()) {
            lines.add(
                    "the baseline serves parts of its prompts from its prefix cache while the calibration charges"
                            + " whole prompts: the cost of a prompt token is too low, that of losing the cache as well");
        }
        return lines;
    }

    /** What has to hold of the workload's prefixes and of the changed settings. */
    static List<String> assumptions(EngineSettings baseline, EngineSettings candidate, boolean sharesPrefixes,
            boolean pooled) {
        List<String> lines = new ArrayList<>();
        lines.add(sharesPrefixes && (baseline.cachesPrefixes() || candidate.cachesPrefixes())
                ? "prompts share the prefixes that the workload states; whole pages of them are found as long as"
                        + " they are not evicted, by the same index as the embedded engine's"
                : "no prefix is shared between prompts");
        if (pooled) {
            lines.add(
                    "the candidate's pool has the bytes of the baseline's: " + candidate.numBlocks().orElse(0)
                            + " pages");
        }
        if (candidate.rowsPerSequence() > 1) {
            lines.add(
                    "drafted tokens are accepted independently with one probability at every position and load;"
                            + " a step verifies each sequence's draft in rows of its own");
        }
        if (!baseline.decodeEpilogue().equals(candidate.decodeEpilogue())) {
            lines.add("the changed kernels take the stated share of every decode step, whatever its rows");
        }
        return lines;
    }
}

package dev.assay.review;

import dev.assay.Resources;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A kind of change as {@code ready-changes.yaml} has it: what its template says and which metrics its claims are about.
 *
 * @param page of docs/changes that explains its model
 * @param knob the setting in which the arms differ
 * @param baseline the settings that matter for it, in the template
 * @param candidate the same of the candidate
 * @param measured the template's block of local measurements
 * @param prefix lines of the template's workload
 * @param mechanism the metrics that show what the change does, the best one first
 * @param component the metrics of the part that it touches
 * @param unchanged the metrics that it must not move
 */
record ReadyChange(String page, String title, String knob, String explanation, Aim objective,
        Bound constraint,
        boolean exact, OptionalDouble maxNllIncrease, OptionalDouble maxKl, Map<String, JsonValue> baseline,
        Map<String, JsonValue> candidate, Optional<String> measured, Optional<String> prefix,
        List<String> mechanism, List<String> component, List<String> unchanged) {
    private static final String FILE = "ready-changes.yaml";

    /** What must improve, and by what ratio. */
    record Aim(String metric, double minEffect) {}

    /** What may not get worse. */
    record Bound(String metric, double margin) {}

    /** The ready change of a kind. */
    static ReadyChange of(Proposal.ChangeKind kind) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        JsonValue all = Json.parseYaml(Resources.text(ReadyChange.class, FILE), FILE);
        if (!(all instanceof JsonValue.Obj changes)) {
            throw new IllegalStateException(FILE + " is not an object");
        }
        return Json.bind(changes.get(name).orElseThrow(
                () -> new IllegalStateException(FILE + " has no " + name)), ReadyChange.class);
    }

    /** The metrics of a list of names. */
    static List<Metric> metrics(List<String> names) {
        return names.stream().map(n -> Metric.named(FILE, n)).toList();
    }
}

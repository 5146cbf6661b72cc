package dev.assay.cli;

import dev.assay.load.imported.Comparison.Caveat;
import dev.assay.load.imported.Comparison.Point;
import dev.assay.load.imported.Comparison.Refused;
import dev.assay.load.imported.Comparison.Row;
import dev.assay.load.imported.Family;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** One load point of a comparison with the field names of {@code docs/compare.md}. */
record ComparePoint(String load, Side a, Side b, List<Line> rows, List<Refused> refused, List<String> onlyA,
        List<String> onlyB, List<Caveat> caveats, List<String> notes) {

    /** One side's runs. */
    record Side(String tool, List<String> sources) {}

    /** One row; what is undefined is absent. */
    record Line(Family metric, String statistic, String unit, String formula, String formulaText,
            String quantileRule,
            boolean recomputed, double a, double b, List<Double> aValues, List<Double> bValues,
            OptionalDouble ratio,
            OptionalDouble low, OptionalDouble high, OptionalDouble p, OptionalDouble pHolm, String finding,
            Optional<Boolean> better, String reason, Optional<Integer> repeatsNeeded) {}

    static ComparePoint of(Point p) {
        return new ComparePoint(p.load(), new Side(p.toolA(), p.a()), new Side(p.toolB(), p.b()),
                p.rows().stream().map(ComparePoint::line).toList(), p.refused(), p.onlyA(), p.onlyB(),
                p.caveats(),
                p.notes());
    }

    private static Line line(Row r) {
        return new Line(r.metric(), r.statistic().label(), r.metric().unit(), r.formula().id(),
                r.formula().text(),
                r.rule().name().toLowerCase(java.util.Locale.ROOT), r.recomputed(), r.a(), r.b(),
                Arrays.stream(r.aValues()).boxed().toList(), Arrays.stream(r.bValues()).boxed().toList(),
                r.ratio(),
                r.interval().map(i -> OptionalDouble.of(i.low())).orElse(OptionalDouble.empty()),
                r.interval().map(i -> OptionalDouble.of(i.high())).orElse(OptionalDouble.empty()), r.p(),
                r.pHolm(),
                r.finding().name().toLowerCase(java.util.Locale.ROOT), r.better(), r.reason(),
                r.repeatsNeeded());
    }
}

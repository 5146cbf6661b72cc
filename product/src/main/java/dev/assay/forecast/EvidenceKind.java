package dev.assay.forecast;

import java.util.Locale;

/** What a calibration rests on. */
public enum EvidenceKind {
    /** A run with every token's time, as {@code assay load --out} writes it. */
    RUN("run", "runs"),
    /** Slots of an operating curve, as {@code assay curve --out} writes it. */
    CURVE("slot of a curve", "slots of curves"),
    /** A result of another load generator. */
    BENCHMARK("imported benchmark", "imported benchmarks"),
    /** Step times of a profiler. */
    PROFILE("profiled step", "profiled steps");

    private final String one;
    private final String many;

    EvidenceKind(String one, String many) {
        this.one = one;
        this.many = many;
    }

    /** So many of them, in words. */
    public String counted(int count) {
        return count + " " + (count == 1 ? one : many);
    }

    /** The constant in lower case, as files name it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}

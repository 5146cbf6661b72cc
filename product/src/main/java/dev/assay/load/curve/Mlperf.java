package dev.assay.load.curve;

import dev.assay.AssayException;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The latency limits of an MLPerf Inference scenario for a large language model. A run with them is no MLPerf result:
 * MLPerf also fixes the data set, its seeds, the accuracy and the review of submissions.
 *
 * @param name what the command line calls it, such as {@code llama3.1-8b-server}
 * @param ttftMs limit on the percentile of TTFT
 * @param tpotMs limit on the percentile of TPOT
 * @param e2eMs limit on the percentile of the whole answer
 * @param percentile of each limit
 * @param minDurationS shortest run
 * @param minQueries fewest queries that early stopping accepts at this percentile
 * @param samples size of the data set, or the fewest samples of an offline run
 * @param source the files that say so
 * @param date of their version
 * @param note what the files disagree on or what is special, empty where nothing is
 */
public record Mlperf(String name, String model, String scenario, OptionalDouble ttftMs, OptionalDouble tpotMs,
        OptionalDouble e2eMs, double percentile, int minDurationS, int minQueries, int samples, String source,
        String date, String note) {
    private static final String CONF = "mlcommons/inference loadgen/mlperf.conf at b66003e1";
    private static final String DATE = "2026-08-20";
    private static final double P99 = 0.99;
    private static final int DURATION = 600;
    private static final int FLOOR = 662;
    private static final String GONE = "not in v6.1";
    private static final String CONFLICT = "TPOT conflicts: 15 ms in mlperf.conf and the submission checker,"
            + " 20 ms in inference_policies inference_rules.adoc line 271 (ac93e89c, 2026-07-23)";

    /** Every preset. */
    public static final List<Mlperf> ALL = all();

    private static List<Mlperf> all() {
        List<Mlperf> all = new ArrayList<>();
        pair(all, "llama2-70b", "Llama 2 70B", 24_576, new double[]{2000, 200, 450, 40}, "");
        pair(all, "llama3.1-8b", "Llama 3.1 8B", 13_368, new double[]{2000, 100, 500, 30}, "");
        pair(all, "llama3.1-405b", "Llama 3.1 405B", 8_313, new double[]{6000, 175, 4500, 80}, GONE);
        all.add(latencies("mixtral-8x7b-server", "Mixtral 8x7B", "Server", 2000, 200, 15_000, GONE));
        pair(all, "deepseek-r1", "DeepSeek R1", 4_388, new double[]{2000, 80, 1500, 15}, "");
        all.add(latencies("gpt-oss-120b-server", "gpt-oss 120B", "Server", 3000, 80, 6_396, ""));
        all.add(latencies("gpt-oss-120b-interactive", "gpt-oss 120B", "Interactive", 2000, 15, 6_396,
                CONFLICT));
        all.add(latencies("gpt-oss-120b-interactive-rules", "gpt-oss 120B", "Interactive", 2000, 20, 6_396,
                CONFLICT));
        all.add(whole("qwen3-vl-235b-server", "Server", 12_000, ""));
        all.add(whole("qwen3-vl-235b-interactive", "Interactive", 1_500,
                "limit as in the submission checker"));
        return List.copyOf(all);
    }

    private static void pair(List<Mlperf> all, String name, String model, int samples, double[] limits,
            String note) {
        all.add(latencies(name + "-server", model, "Server", limits[0], limits[1], samples, note));
        all.add(latencies(name + "-interactive", model, "Interactive", limits[2], limits[3], samples, note));
    }

    private static Mlperf latencies(String name, String model, String scenario, double ttft, double tpot,
            int samples, String note) {
        return new Mlperf(name, model, scenario, OptionalDouble.of(ttft), OptionalDouble.of(tpot),
                OptionalDouble.empty(), P99, DURATION, FLOOR, samples, CONF, DATE, note);
    }

    private static Mlperf whole(String name, String scenario, double e2e, String note) {
        return new Mlperf(name, "Qwen3-VL 235B", scenario, OptionalDouble.empty(), OptionalDouble.empty(),
                OptionalDouble.of(e2e), P99, DURATION, FLOOR, 48_289, CONF, DATE, note);
    }

    /** The preset of a name; a misuse lists them all. */
    public static Mlperf named(String name) {
        return ALL.stream().filter(p -> p.name().equals(name.toLowerCase(Locale.ROOT))).findFirst()
                .orElseThrow(() -> AssayException.misuse("--mlperf is '" + name + "'; expected one of "
                        + String.join(", ", ALL.stream().map(Mlperf::name).toList())));
    }

    /** Its limits as an SLO of each request. */
    public Slo slo() {
        return new Slo(ttftMs, tpotMs, e2eMs);
    }
}

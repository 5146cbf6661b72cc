package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.load.SelfTest.Accuracy;
import dev.assay.workload.RequestOutcome;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The null server's own times, against which the client's are held. */
final class NullTruth {
    private static final int GET_MILLIS = 10_000;

    private NullTruth() {}

    /** By request id: when the request had arrived, then when each event was written, in nanoseconds. */
    static Map<Integer, long[]> fetch(URI server) {
        Http.Reply reply = Http.get(server, "/truth", Optional.empty(), GET_MILLIS)
                .orElseThrow(() -> AssayException.environment("the null server does not answer"));
        Map<Integer, long[]> truth = new HashMap<>();
        reply.body().lines().forEach(line -> {
            String[] fields = line.split(" ");
            long[] times = new long[fields.length - 1];
            for (int i = 0; i < times.length; i++) {
                times[i] = Long.parseLong(fields[i + 1]);
            }
            truth.put(Integer.parseInt(fields[0].substring(fields[0].lastIndexOf('-') + 1)), times);
        });
        return truth;
    }

    static Accuracy compare(List<RequestOutcome> outcomes, Map<Integer, long[]> truth) {
        List<Double> ttft = new ArrayList<>();
        List<Double> server = new ArrayList<>();
        List<Double> ttftError = new ArrayList<>();
        List<Double> itlError = new ArrayList<>();
        List<Double> lag = new ArrayList<>();
        for (RequestOutcome o : outcomes) {
            long[] times = truth.get(o.request().id());
            if (times == null || o.contentNanos().length != times.length - 1) {
                throw AssayException.environment("request " + o.request().id() + " gave "
                        + o.contentNanos().length + " events; the null server wrote "
                        + (times == null ? 0 : times.length - 1));
            }
            long[] seen = o.contentNanos();
            double mine = (seen[0] - o.sentNanos().orElseThrow()) / 1e6;
            double its = (times[1] - times[0]) / 1e6;
            ttft.add(mine);
            server.add(its);
            ttftError.add(mine - its);
            lag.add((o.sentNanos().orElseThrow() - o.request().arrivalNanos()) / 1e6);
            for (int i = 1; i < seen.length; i++) {
                itlError.add((seen[i] - seen[i - 1] - (times[i + 1] - times[i])) / 1e6);
            }
        }
        return new Accuracy(outcomes.size(), SelfTest.spread(array(ttft)), SelfTest.spread(array(server)),
                SelfTest.spread(array(ttftError)), SelfTest.spread(array(itlError)),
                SelfTest.spread(array(lag)));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}

package dev.assay.load.curve;
import java.util.*;
class Dbg {
    public static void main(String[] a) {
        for (int seed = 0; seed < 4; seed++) {
            SplittableRandom r = new SplittableRandom(seed);
            double start = Math.exp(r.nextDouble() * 4 - 2);
            Queue q = new Queue(8, 0.5);
            LoadSearch search = new LoadSearch(SearchSettings.of(start, 0.95));
            List<Observation> seen = new ArrayList<>();
            System.out.println("seed " + seed + " cap " + q.capacity(0.95));
            while (true) {
                Step s = search.next(seen);
                if (s instanceof Step.Ask k) {
                    Observation o = q.slot(k.load(), k.requests(), k.requests() / 4, r);
                    seen.add(o);
                    System.out.printf("  %s %.3f n=%d share %.3f tau %.1f inflight %.1f%n", k.purpose(),
                            k.load(), k.requests(), o.hits() / (double) o.trials(), o.correlationTime(),
                            o.inFlight());
                } else {
                    System.out.println("  " + s);
                    break;
                }
            }
        }
    }
}

package dev.assay.load.curve;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

class Try {
    public static void main(String[] a) {
        double leadShare = Double.parseDouble(a[0]);
        for (Queue q : List.of(new Queue(8, 0.5), new Queue(8, 0), new Queue(1, 2), new Queue(32, 0.1),
                new Queue(64, 1)))
            for (double target : new double[]{0.9, 0.95, 0.99}) {
                double c = q.capacity(target);
                int covered = 0, both = 0, n = 400;
                double width = 0;
                long slots = 0, reqs = 0;
                int low = 0, high = 0;
                for (int seed = 0; seed < n; seed++) {
                    SplittableRandom r = new SplittableRandom(seed);
                    double start = Math.exp(r.nextDouble() * 4 - 2);
                    SearchSettings s = SearchSettings.of(start, target);
                    if (a.length > 1)
                        s = s.withSizes(Integer.parseInt(a[1]), Integer.parseInt(a[2]));
                    if (target > 0.98)
                        s = s.withSizes(100, 2000);
                    LoadSearch search = new LoadSearch(s);
                    List<Observation> seen = new ArrayList<>();
                    while (true) {
                        Step step = search.next(seen);
                        if (step instanceof Step.Ask ask) {
                            seen.add(q.slot(ask.load(), ask.requests(), (int) (leadShare * ask.requests()),
                                    r));
                            reqs += ask.requests();
                        } else if (step instanceof Step.Done d) {
                            boolean lo = d.found().meets().orElse(0) <= c;
                            boolean hi = d.found().misses().orElse(1e9) >= c;
                            if (!lo)
                                low++;
                            if (!hi)
                                high++;
                            if (lo && hi)
                                covered++;
                            if (d.found().bracketed()) {
                                both++;
                                width += Math.log(
                                        d.found().misses().getAsDouble() / d.found().meets().getAsDouble());
                            }
                            break;
                        }
                    }
                    slots += seen.size();
                }
                System.out.printf(
                        "%s target %.2f cap %.3f covered %.3f (low wrong %d, high wrong %d) bracketed %.3f width x%.3f slots %.1f reqs %.0f%n",
                        q, target, c, covered / (double) n, low, high, both / (double) n,
                        Math.exp(width / both), slots / (double) n, reqs / (double) n);
            }
    }
}

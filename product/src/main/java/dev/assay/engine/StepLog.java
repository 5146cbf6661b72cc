package dev.assay.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The last steps, for readers on other threads. */
final class StepLog {
    /** Steps kept: a minute and more of steps that take 2 ms. */
    static final int CAPACITY = 1 << 15;

    private final ArrayDeque<StepRecord> steps = new ArrayDeque<>();
    private final int capacity;

    StepLog(int capacity) {
        this.capacity = capacity;
    }

    synchronized void add(StepRecord step) {
        if (steps.size() == capacity) {
            steps.removeFirst();
        }
        steps.addLast(step);
    }

    /** The kept steps whose number is at least {@code first}, in order. */
    synchronized List<StepRecord> since(long first) {
        List<StepRecord> found = new ArrayList<>();
        var newestFirst = steps.descendingIterator();
        while (newestFirst.hasNext()) {
            StepRecord step = newestFirst.next();
            if (step.n() < first) {
                break;
            }
            found.add(step);
        }
        return found.reversed();
    }
}

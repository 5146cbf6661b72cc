package dev.assay.workload;

import dev.assay.AssayException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The requests of a run, each made when it is asked for, so that a run of any length holds flat memory. Every
 * iteration gives the same requests.
 *
 * <p>Requests come by ascending {@code arrivalNanos} and their ids count from 0. All turns of a conversation follow
 * each other directly and carry the arrival of its first one; when a later turn is scheduled is told by its
 * {@link Turn}. In a closed loop all arrivals are 0.
 */
public final class Schedule implements Iterable<Request> {
    private final Supplier<Iterator<Request>> walk;
    private final OptionalInt size;
    private final boolean endless;

    Schedule(Supplier<Iterator<Request>> walk, OptionalInt size, boolean endless) {
        this.walk = walk;
        this.size = size;
        this.endless = endless;
        if (!walk.get().hasNext()) {
            throw AssayException
                    .misuse("no request arrives in this duration at this rate; expected a longer duration");
        }
    }

    @Override
    public Iterator<Request> iterator() {
        return walk.get();
    }

    /** How many requests there are, where that is known without making them. */
    public OptionalInt size() {
        return size;
    }

    /** Whether there is no end: a closed loop that lasts for a time takes as many as it needs. */
    public boolean endless() {
        return endless;
    }

    /** All of them at once; where there is no end, a list as long as an int can count that makes them when asked. */
    public List<Request> toList() {
        if (endless) {
            return new Endless();
        }
        List<Request> all = new ArrayList<>();
        forEach(all::add);
        return List.copyOf(all);
    }

    /** A list read in order from an iteration; going back starts a new one. */
    private final class Endless extends AbstractList<Request> {
        private Iterator<Request> from = Schedule.this.iterator();
        private Request last = from.next();

        @Override
        public Request get(int id) {
            if (id < 0) {
                throw new IndexOutOfBoundsException(id);
            }
            if (id < last.id()) {
                from = Schedule.this.iterator();
                last = from.next();
            }
            while (last.id() < id) {
                if (!from.hasNext()) {
                    throw new NoSuchElementException("request " + id);
                }
                last = from.next();
            }
            return last;
        }

        @Override
        public int size() {
            return Integer.MAX_VALUE;
        }
    }
}

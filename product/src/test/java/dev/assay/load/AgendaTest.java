package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workload.Request;
import dev.assay.workload.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgendaTest {
    private static Request single(int id, long at) {
        return new Request(id, at, "p" + id, 1, 1, "default", Optional.empty());
    }

    private static Request turn(int id, long at, String conversation, int number, int after, long think) {
        return new Request(id, at, "p" + id, 1, 1, "default", Optional.of(new Turn(conversation, number,
                after < 0 ? OptionalInt.empty() : OptionalInt.of(after), think)));
    }

    private static Agenda open(List<Request> requests) {
        return new Agenda(requests.iterator(), OptionalInt.empty(), _ -> 0);
    }

    @Test
    void openLoopKeepsArrivalTimesWhateverEnds() {
        Agenda agenda = open(List.of(single(0, 5), single(1, 7)));
        assertThat(agenda.due()).isEqualTo(5);
        assertThat(agenda.take().request().id()).isZero();
        assertThat(agenda.due()).isEqualTo(7);
        assertThat(agenda.take().request().arrivalNanos()).isEqualTo(7);
        assertThat(agenda.due()).isEqualTo(Agenda.NEVER);
        assertThat(agenda.exhausted()).isTrue();
    }

    @Test
    void turnWaitsForTheAnswerAndItsPauseAndQuotesWhatWasSaid() {
        Agenda agenda = open(List.of(turn(0, 0, "c", 0, -1, 0), turn(1, 0, "c", 1, 0, 30),
                turn(2, 0, "c", 2, 1, 0), single(3, 100)));
        Agenda.Due first = agenda.take();
        assertThat(agenda.due()).as("the turn waits, the other request does not").isEqualTo(100);
        agenda.ended(first, 50, true, "a0");
        assertThat(agenda.due()).isEqualTo(80);
        Agenda.Due second = agenda.take();
        assertThat(second.request().arrivalNanos()).isEqualTo(80);
        assertThat(said(second)).containsExactly("p0", "a0");
        agenda.take();
        agenda.ended(second, 250, true, "a1");
        Agenda.Due third = agenda.take();
        assertThat(third.request().arrivalNanos()).isEqualTo(250);
        assertThat(said(third)).containsExactly("p0", "a0", "p1", "a1");
        assertThat(agenda.exhausted()).isTrue();
    }

    @Test
    void turnIsNotScheduledBeforeItsOwnArrival() {
        Agenda agenda = open(List.of(turn(0, 0, "c", 0, -1, 0), turn(1, 400, "c", 1, 0, 30)));
        agenda.ended(agenda.take(), 50, true, "");
        assertThat(agenda.due()).isEqualTo(400);
    }

    @Test
    void failureCancelsAllTurnsBehindIt() {
        Agenda agenda = open(List.of(turn(0, 0, "c", 0, -1, 0), turn(1, 0, "c", 1, 0, 0),
                turn(2, 0, "c", 2, 1, 0)));
        agenda.ended(agenda.take(), 50, false, "");
        assertThat(agenda.exhausted()).isFalse();
        assertThat(agenda.pollCancelled().map(Request::id)).contains(1);
        assertThat(agenda.pollCancelled().map(Request::id)).contains(2);
        assertThat(agenda.pollCancelled()).isEmpty();
        assertThat(agenda.exhausted()).isTrue();
    }

    @Test
    void closedLoopFillsAPlaceAtTheEndAndItsThinkTime() {
        Agenda agenda = new Agenda(List.of(single(0, 0), single(1, 0), single(2, 0)).iterator(),
                OptionalInt.of(2), id -> id == 0 ? 25 : 0);
        Agenda.Due zero = agenda.take();
        Agenda.Due one = agenda.take();
        assertThat(agenda.due()).as("both places are taken").isEqualTo(Agenda.NEVER);
        agenda.ended(zero, 10, true, "");
        assertThat(agenda.due()).isEqualTo(35);
        agenda.ended(one, 20, true, "");
        assertThat(agenda.due()).isEqualTo(20);
        assertThat(agenda.take().request().arrivalNanos()).isEqualTo(20);
    }

    @Test
    void placeOfAFailedRequestStaysEmptyForAWhile() {
        Agenda agenda = new Agenda(List.of(single(0, 0), single(1, 0)).iterator(), OptionalInt.of(1), _ -> 0);
        agenda.ended(agenda.take(), 10, false, "");
        assertThat(agenda.due()).isEqualTo(50_000_010);
    }

    /** Brute force: whatever the lengths, each turn comes once, in order, and never before the answer and its pause. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyTurnComesOnceAndNotBeforeItsAnswer(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Request> all = new ArrayList<>();
        for (int c = 0; c < 40; c++) {
            int turns = random.nextInt(1, 6);
            for (int t = 0; t < turns; t++) {
                int id = all.size();
                all.add(turns == 1
                        ? single(id, c * 10L)
                        : turn(id, c * 10L, "c" + c, t, t == 0 ? -1 : id - 1, 7));
            }
        }
        boolean closed = seed % 2 == 0;
        Agenda agenda = new Agenda(all.iterator(), closed ? OptionalInt.of(3) : OptionalInt.empty(), _ -> 0);
        long[] end = new long[all.size()];
        List<Integer> seen = new ArrayList<>();
        PriorityQueue<Agenda.Due> flying = new PriorityQueue<>(
                (a, b) -> Long.compare(end[a.request().id()], end[b.request().id()]));
        while (!agenda.exhausted() || !flying.isEmpty()) {
            long nextEnd = flying.isEmpty() ? Long.MAX_VALUE : end[flying.element().request().id()];
            if (agenda.due() <= nextEnd && agenda.due() != Agenda.NEVER) {
                Agenda.Due due = agenda.take();
                int id = due.request().id();
                due.request().turn().flatMap(
                        t -> t.after().isPresent() ? Optional.of(t.after().getAsInt()) : Optional.empty())
                        .ifPresent(before -> assertThat(due.request().arrivalNanos())
                                .isGreaterThanOrEqualTo(end[before] + 7));
                end[id] = due.request().arrivalNanos() + random.nextInt(1, 60);
                seen.add(id);
                flying.add(due);
                assertThat(flying.size()).isLessThanOrEqualTo(closed ? 3 : Integer.MAX_VALUE);
            } else {
                Agenda.Due over = flying.remove();
                agenda.ended(over, end[over.request().id()], true, "a");
            }
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(all.stream().map(Request::id).toList());
    }

    private static List<String> said(Agenda.Due due) {
        List<String> all = new ArrayList<>();
        due.history().each((prompt, answer) -> {
            all.add(prompt);
            all.add(answer);
        });
        return all;
    }
}

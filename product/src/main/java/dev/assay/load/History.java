package dev.assay.load;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The earlier turns of a conversation: each prompt and the answer that the server gave to it. A conversation that goes
 * on shares the turns it has with the one before.
 */
final class History {
    /** No earlier turn. */
    static final History EMPTY = new History(null, "", "", 0);

    private final @Nullable History before;
    private final String prompt;
    private final String answer;
    private final int turns;

    private History(@Nullable History before, String prompt, String answer, int turns) {
        this.before = before;
        this.prompt = prompt;
        this.answer = answer;
        this.turns = turns;
    }

    /** This history and one more turn. */
    History and(String nextPrompt, String nextAnswer) {
        return new History(this, nextPrompt, nextAnswer, turns + 1);
    }

    /** How many turns it holds. */
    int turns() {
        return turns;
    }

    /** What takes the turns, first to last. */
    interface Visitor {
        void turn(String prompt, String answer);
    }

    void each(Visitor visitor) {
        Deque<History> order = new ArrayDeque<>(turns);
        for (History turn = this; turn != null && turn.turns > 0; turn = turn.before) {
            order.push(turn);
        }
        order.forEach(t -> visitor.turn(t.prompt, t.answer));
    }
}

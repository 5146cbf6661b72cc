package dev.assay.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Recorded conversations in the file's order, from one drawn by the seed, around again at the end. */
final class ChatSource implements Session.Source {
    private final ShareGpt chats;
    private final WorkloadSpec spec;
    private final long seed;
    private final int start;
    private long taken;

    ChatSource(ShareGpt chats, WorkloadSpec spec, long seed) {
        this.chats = chats;
        this.spec = spec;
        this.seed = seed;
        this.start = Seeds.stream(seed, Seeds.LENGTHS, -1).nextInt(chats.index().size());
    }

    @Override
    public Optional<Session> next(int firstId) {
        int most = spec.turns().isEmpty()
                ? Integer.MAX_VALUE
                : spec.turns().get().sample(Seeds.stream(seed, Seeds.TURNS, taken));
        Pause pause = spec.think().orElse(Pause.none());
        List<Session.Draft> drafts = new ArrayList<>();
        int history = 0;
        for (ShareGpt.Exchange e : chats
                .conversation((int) ((start + taken) % chats.index().size()))) {
            if (drafts.size() == most) {
                break;
            }
            int id = firstId + drafts.size();
            long think = drafts.isEmpty() ? 0 : pause.nanos(Seeds.stream(seed, Seeds.THINKING, id));
            drafts.add(new Session.Draft(new PromptPlan.Text(e.text()), history + e.promptTokens(),
                    e.answerTokens(), think));
            history += e.promptTokens() + e.answerTokens();
        }
        taken++;
        return Optional.of(new Session(0, WorkloadSpec.DEFAULT_CLASS, drafts));
    }
}

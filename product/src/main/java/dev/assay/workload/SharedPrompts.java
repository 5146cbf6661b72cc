package dev.assay.workload;

import dev.assay.workload.WorkloadSpec.Content;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which prompts of a workload begin alike, as made-up tokens: equal where the workload says that texts are equal
 * (groups with a common prefix, turns of one conversation, hashed blocks of a trace), different everywhere else.
 */
public final class SharedPrompts {
    private SharedPrompts() {}

    /** Whether a prefix cache could find anything. */
    public static boolean any(WorkloadSpec spec) {
        return switch (spec.content()) {
            case Content.Mix mix ->
                mix.classes().stream().anyMatch(c -> c.prefix().isPresent() || !c.single());
            case Content.Traced t -> t.trace().rows().stream().anyMatch(r -> r.blocks().size() > 0);
            case Content.Clients _ -> false;
            case Content.Chats _ -> true;
        };
    }

    /** The prompts of the first requests of the schedule that {@code spec} gives with these arrivals and seed. */
    public static List<int[]> tokens(WorkloadSpec spec, Arrivals by, long seed, int requests) {
        Session.Source source = new Sessions(spec, by, seed).source();
        List<int[]> prompts = new ArrayList<>();
        int own = -1;
        while (prompts.size() < requests) {
            Optional<Session> session = source.next(prompts.size());
            if (session.isEmpty()) {
                break;
            }
            int[] before = new int[0];
            for (Session.Draft draft : session.get().turns()) {
                int[] prompt = Arrays.copyOf(before, draft.promptTokens());
                Arrays.fill(prompt, before.length, prompt.length, own);
                begin(prompt, before.length, draft.plan());
                prompts.add(prompt);
                before = Arrays.copyOf(prompt, prompt.length + draft.outputTokens());
                Arrays.fill(before, prompt.length, before.length, own);
            }
            own--;
        }
        return prompts.subList(0, Math.min(requests, prompts.size()));
    }

    /**
     * The share of prompt tokens that a cache without an end finds, by whole pages: {@code B floor(min(shared, n - 1) /
     * B)} of a prompt of n tokens, as one token has to be computed.
     */
    public static double hitShare(List<int[]> prompts, int page) {
        Map<Long, Set<List<Integer>>> seen = new HashMap<>();
        long all = 0;
        long found = 0;
        for (int[] prompt : prompts) {
            all += prompt.length;
            long chain = 1;
            boolean hit = true;
            for (int from = 0; from + page <= prompt.length; from += page) {
                List<Integer> tokens = Arrays.stream(prompt, from, from + page).boxed().toList();
                Set<List<Integer>> after = seen.computeIfAbsent(chain, _ -> new HashSet<>());
                hit &= !after.add(tokens) && from + page < prompt.length;
                found += hit ? page : 0;
                chain = chain * 0x9E3779B97F4A7C15L + tokens.hashCode();
            }
        }
        return all == 0 ? 0 : found / (double) all;
    }

    private static void begin(int[] prompt, int from, PromptPlan plan) {
        switch (plan) {
            case PromptPlan.Prefixed p -> Arrays.fill(prompt, from,
                    Math.min(prompt.length, from + p.group().tokens()), folded(p.group().text()));
            case PromptPlan.Blocks b -> {
                for (int i = Math.max(from, b.from()); i < Math.min(prompt.length, b.to()); i++) {
                    int block = Math.min(i / b.blockTokens(), b.ids().size() - 1);
                    prompt[i] = folded((long) b.ids().get(block) * 1_000_003 + b.round());
                }
            }
            case PromptPlan.Words _,PromptPlan.Text _ -> {
            }
        }
    }

    /** Not negative, as the tokens that belong to one conversation are. */
    private static int folded(long name) {
        return (int) (name ^ name >>> 32) & Integer.MAX_VALUE;
    }
}

package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.workload.WorkloadSpec.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedPromptsTest {
    private static final Arrivals POISSON = new Arrivals.Poisson(5);

    private static WorkloadSpec grouped(int groups, String prefix) {
        return WorkloadSpec.of("w", new Content.Mix(List.of(RequestClass
                .of("default", LengthDistribution.parse("uniform:10,60"), LengthDistribution.parse("8"))
                .withPrefix(new PrefixGroups("p", groups, LengthDistribution.parse(prefix))))));
    }

    /** forecasting.md section 2: a hit is B floor(min(shared, n - 1) / B), for every prompt but a group's first. */
    @ParameterizedTest(name = "page {0}")
    @ValueSource(ints = {8, 16, 64, 100, 128})
    void aGroupsPrefixHitsByWholePages(int page) {
        List<int[]> prompts = SharedPrompts.tokens(grouped(1, "100"), POISSON, 3, 200);
        long all = 0;
        long found = 0;
        for (int i = 0; i < prompts.size(); i++) {
            int n = prompts.get(i).length;
            all += n;
            found += i == 0 ? 0 : (long) page * (Math.min(100, n - 1) / page);
        }
        assertThat(SharedPrompts.hitShare(prompts, page)).isCloseTo(found / (double) all, within(1e-12));
    }

    /** The lengths are those of the requests that are sent, and prompts of one group alone begin alike. */
    @Test
    void tokensFollowTheSchedule() {
        WorkloadSpec spec = grouped(3, "uniform:20,40");
        List<Request> requests = spec.schedule(POISSON, new Extent.Count(60), 9, Calibration.ASSUMED);
        List<int[]> prompts = SharedPrompts.tokens(spec, POISSON, 9, 60);
        assertThat(prompts).hasSize(60);
        for (int i = 0; i < 60; i++) {
            assertThat(prompts.get(i)).hasSize(requests.get(i).promptTokens());
        }
        assertThat(prompts.stream().map(p -> p[0]).distinct()).hasSize(3);
        assertThat(prompts.stream().map(p -> p[p.length - 1]).distinct()).hasSize(60);
        for (int i = 0; i < 60; i++) {
            for (int j = 0; j < i; j++) {
                String a = requests.get(i).prompt();
                String b = requests.get(j).prompt();
                boolean alike = a.substring(0, 30).equals(b.substring(0, 30));
                assertThat(prompts.get(i)[0] == prompts.get(j)[0]).isEqualTo(alike);
            }
        }
    }

    /** A later turn begins with all that was said; blocks of equal numbers are equal texts. */
    @Test
    void conversationsAndHashedBlocksShareWhatTheySay() {
        WorkloadSpec talk = WorkloadSpec.of("t", new Content.Mix(List.of(RequestClass
                .of("default", LengthDistribution.parse("30"), LengthDistribution.parse("10"))
                .withTurns(LengthDistribution.parse("3")))));
        List<int[]> turns = SharedPrompts.tokens(talk, POISSON, 1, 3);
        assertThat(turns.get(2)).hasSize(30 + 10 + 30 + 10 + 30).startsWith(turns.get(1));
        Trace trace = new Trace("t", List.of(row(40, 1, 2, 3), row(50, 1, 2, 4), row(33, 5, 6, 7)), 16);
        WorkloadSpec traced = WorkloadSpec.of("trace", new Content.Traced(trace));
        List<int[]> prompts = SharedPrompts.tokens(traced, new Arrivals.Replay(1), 1, 3);
        // 32 of 40 + 50 + 33 tokens, as whole pages of 16.
        assertThat(SharedPrompts.hitShare(prompts, 16)).isCloseTo(32 / 123.0, within(1e-12));
        assertThat(SharedPrompts.any(traced)).isTrue();
        assertThat(SharedPrompts.any(WorkloadSpec.presetOrFile("chat"))).isFalse();
    }

    private static Trace.Row row(int input, int... ids) {
        return new Trace.Row(0, input, 2, new HashIds(ids), OptionalInt.empty(), 0);
    }

    @Test
    void hitShareEqualsABruteForceOverRandomPrompts() {
        SplittableRandom random = new SplittableRandom(4);
        List<int[]> prompts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int[] p = new int[random.nextInt(1, 40)];
            for (int k = 0; k < p.length; k++) {
                p[k] = k < 4 * random.nextInt(10) ? 1 : random.nextInt(2);
            }
            prompts.add(p);
        }
        long all = 0;
        long found = 0;
        for (int i = 0; i < prompts.size(); i++) {
            int[] p = prompts.get(i);
            all += p.length;
            int longest = 0;
            for (int j = 0; j < i; j++) {
                int[] q = prompts.get(j);
                int same = 0;
                while (same < Math.min(p.length, q.length) && p[same] == q[same]) {
                    same++;
                }
                // Only whole pages of the earlier prompt are kept.
                longest = Math.max(longest, Math.min(same, q.length / 4 * 4) / 4);
            }
            found += 4L * Math.min(longest, (p.length - 1) / 4);
        }
        assertThat(SharedPrompts.hitShare(prompts, 4)).isCloseTo(found / (double) all, within(1e-12));
    }
}

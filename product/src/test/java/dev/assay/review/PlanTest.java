package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 42, Long.MAX_VALUE})
    void everySlotOnceAndBlocksBalanced(long seed) {
        Plan plan = Plan.draw(6, 4, seed);
        assertThat(plan).isEqualTo(Plan.draw(6, 4, seed));
        List<SlotKey> slots = plan.slots(false);
        assertThat(slots).hasSize(6 * 4 * 4).doesNotHaveDuplicates();
        assertThat(plan.slots(true)).hasSameSizeAs(slots).containsAll(slots);
        assertThat(plan.blocks().stream().filter(b -> b.direction().equals("ABBA")).count()).isEqualTo(3);
        for (Plan.Block block : plan.blocks()) {
            assertThat(block.points()).containsExactlyInAnyOrder(0, 1, 2, 3);
        }
    }

    /** A drift that is linear in time adds the same to both arms of a block: what ABBA and BAAB are for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void linearDriftCancelsWithinABlock(boolean resident) {
        Plan plan = Plan.draw(4, 4, 7);
        List<SlotKey> slots = plan.slots(resident);
        for (int block = 0; block < 4; block++) {
            for (int point = 0; point < 4; point++) {
                int b = block;
                int p = point;
                int drift = IntStream.range(0, slots.size())
                        .filter(i -> slots.get(i).block() == b && slots.get(i).point() == p)
                        .map(i -> slots.get(i).arm() == Arm.BASELINE ? -i : i).sum();
                assertThat(drift).isZero();
            }
        }
    }

    @Test
    void slotSeedsDiffer() {
        Set<Long> seeds = new HashSet<>();
        for (int block = 0; block < 50; block++) {
            for (int point = 0; point < 10; point++) {
                seeds.add(Plan.slotSeed(1, block, point));
            }
        }
        assertThat(seeds).hasSize(500).allMatch(s -> s >= 0);
    }
}

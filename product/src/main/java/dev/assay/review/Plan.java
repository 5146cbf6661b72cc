package dev.assay.review;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The order of everything that is measured, drawn from the seed before the first slot: for each block its direction
 * (ABBA or BAAB) and one order of the load points that its four sessions share, so that drift, order and carry-over
 * cancel within the block (statistics.md, section 2.1).
 */
public record Plan(List<Block> blocks) {

    /**
     * One block. {@code arms} has the four sessions' arms in order; {@code points} the load points' indices in the order
     * in which each session visits them.
     */
    public record Block(int index, List<Arm> arms, List<Integer> points) {
        /** ABBA or BAAB. */
        public String direction() {
            return arms.getFirst() == Arm.BASELINE ? "ABBA" : "BAAB";
        }
    }

    private static final List<Arm> ABBA = List.of(Arm.BASELINE, Arm.CANDIDATE, Arm.CANDIDATE, Arm.BASELINE);
    private static final List<Arm> BAAB = List.of(Arm.CANDIDATE, Arm.BASELINE, Arm.BASELINE, Arm.CANDIDATE);

    /** The plan that a seed gives. Directions are balanced: of two blocks in a row one is ABBA, the other BAAB. */
    public static Plan draw(int blocks, int points, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Block> drawn = new ArrayList<>();
        boolean first = true;
        for (int i = 0; i < blocks; i++) {
            first = i % 2 == 0 ? random.nextBoolean() : !first;
            List<Integer> order = new ArrayList<>(IntStream.range(0, points).boxed().toList());
            shuffle(order, random);
            drawn.add(new Block(i, first ? ABBA : BAAB, List.copyOf(order)));
        }
        return new Plan(List.copyOf(drawn));
    }

    private static void shuffle(List<Integer> order, RandomGenerator random) {
        for (int i = order.size() - 1; i > 0; i--) {
            Collections.swap(order, i, random.nextInt(i + 1));
        }
    }

    /** The seed of the arrivals and prompts of a block at a load point: the same for both arms, fresh for each block. */
    public static long slotSeed(long seed, int block, int point) {
        return new SplittableRandom(seed + 0x9E3779B97F4A7C15L * (block * 1_000L + point + 1))
                .nextLong() >>> 1;
    }

    /** All slots in the order of measuring; arms that are always up alternate slot by slot. */
    public List<SlotKey> slots(boolean resident) {
        List<SlotKey> slots = new ArrayList<>();
        for (Block block : blocks) {
            if (resident) {
                for (int point : block.points()) {
                    for (int session = 0; session < block.arms().size(); session++) {
                        slots.add(new SlotKey(block.index(), session, block.arms().get(session), point));
                    }
                }
            } else {
                for (int session = 0; session < block.arms().size(); session++) {
                    for (int point : block.points()) {
                        slots.add(new SlotKey(block.index(), session, block.arms().get(session), point));
                    }
                }
            }
        }
        return slots;
    }
}

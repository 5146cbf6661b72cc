package dev.assay.workload;

/**
 * Prompts that begin alike: each request belongs to one of {@code groups} equally likely groups, and the prompts of a
 * group begin with the same text, such as a system prompt.
 *
 * @param name what the groups are called; classes that name the same groups share their texts
 * @param tokens the length of a group's common text, drawn once for each group
 */
public record PrefixGroups(String name, int groups, LengthDistribution tokens) {
    public PrefixGroups {
        if (groups < 1) {
            throw new IllegalArgumentException("prefix groups '" + name + "' are " + groups
                    + "; expected 1 or more");
        }
    }

    /** One group: a number that names its text, and how many tokens it has. */
    record Group(long text, int tokens) {}

    /** The group of the conversation with this index. */
    Group of(long seed, long index) {
        long own = seed ^ (long) name.hashCode() << 24;
        int group = Seeds.stream(own, Seeds.GROUPS, index).nextInt(groups);
        long text = ((long) name.hashCode() << 32) + group;
        return new Group(text, tokens.sample(Seeds.stream(seed, Seeds.PREFIX_LENGTHS, text)));
    }
}

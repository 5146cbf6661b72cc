package dev.assay.scheduler;

/**
 * What a scheduler has done since its start, and the state of its pool now.
 *
 * @param steps              plans that computed something
 * @param admissions         first admissions of a sequence
 * @param readmissions       admissions after a preemption
 * @param preemptions        sequences that lost their pages
 * @param recomputedTokens   computed tokens that preemptions threw away
 * @param prefixQueryTokens  prompt tokens looked up at first admissions
 * @param prefixHitTokens    of these, tokens found
 * @param recomputeHitTokens tokens found at readmissions, which are no hits of the workload
 * @param allocations        pages taken from the pool
 * @param evictions          cached pages whose content was given up
 * @param pagesTotal         pages in the pool
 * @param pagesUsed          pages that a sequence holds
 * @param pagesCached        free pages whose content can still be found
 */
public record SchedulerCounts(long steps, long admissions, long readmissions, long preemptions,
        long recomputedTokens,
        long prefixQueryTokens, long prefixHitTokens, long recomputeHitTokens, long allocations,
        long evictions,
        int pagesTotal, int pagesUsed, int pagesCached) {}

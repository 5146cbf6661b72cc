package dev.assay.scheduler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of continuous batching written down once more, slowly and without sharing of pages: the oracle of
 * {@link SchedulerOracleTest}. Pages are only counted; every step recomputes all from the list of jobs.
 */
final class NaiveScheduler {
    static final class Job {
        final long id;
        final int prompt;
        final int output;
        int made;
        int done;
        int held;
        boolean runs;
        boolean decodes;
        /** The order of admission; the newest has the largest. */
        int admittedAs;

        Job(long id, int prompt, int output) {
            this.id = id;
            this.prompt = prompt;
            this.output = output;
        }

        int known() {
            return prompt + made;
        }
    }

    private final SchedulerConfig config;
    /** All unfinished jobs by arrival; FCFS means that those waiting are admitted in this order. */
    private final List<Job> jobs = new ArrayList<>();
    private int admitted;

    NaiveScheduler(SchedulerConfig config) {
        this.config = config;
    }

    void submit(long id, int prompt, int output) {
        jobs.add(new Job(id, prompt, output));
    }

    void cancel(long id) {
        jobs.removeIf(j -> j.id == id);
    }

    private List<Job> running() {
        return jobs.stream().filter(j -> j.runs).sorted(Comparator.comparingInt(j -> j.admittedAs)).toList();
    }

    private int freePages() {
        return config.numBlocks() - jobs.stream().mapToInt(j -> j.held).sum();
    }

    /** Runs one step and says how many tokens each job computed, in order. */
    Map<Long, Integer> step() {
        Map<Long, Integer> work = new LinkedHashMap<>();
        Set<Job> victims = new HashSet<>();
        for (Job job : running()) {
            if (!job.decodes || victims.contains(job)) {
                continue;
            }
            while (job.done == job.held * config.blockSize() && freePages() == 0 && !victims.contains(job)) {
                Job newest = running().getLast();
                newest.runs = false;
                newest.decodes = false;
                newest.held = 0;
                newest.done = 0;
                victims.add(newest);
            }
            if (victims.contains(job)) {
                continue;
            }
            if (job.done == job.held * config.blockSize()) {
                job.held++;
            }
            work.put(job.id, 1);
        }
        int budget = config.maxNumBatchedTokens() - work.size();
        for (Job job : running()) {
            if (!job.decodes && budget > 0) {
                int n = Math.min(budget, job.known() - job.done);
                work.put(job.id, n);
                budget -= n;
            }
        }
        for (Job job : jobs) {
            if (job.runs) {
                continue;
            }
            int need = (job.known() + config.blockSize() - 1) / config.blockSize();
            int spare = running().isEmpty() ? 0 : config.watermarkPages();
            if (!victims.isEmpty() || running().size() >= config.maxNumSeqs() || budget == 0
                    || freePages() - need < spare) {
                break;
            }
            job.runs = true;
            job.admittedAs = admitted++;
            job.held = need;
            int n = Math.min(budget, job.known());
            work.put(job.id, n);
            budget -= n;
        }
        for (Job job : List.copyOf(jobs)) {
            job.done += work.getOrDefault(job.id, 0);
            if (work.containsKey(job.id) && job.done == job.known()) {
                job.decodes = true;
                job.made++;
                if (job.made == job.output) {
                    jobs.remove(job);
                }
            }
        }
        return work;
    }
}

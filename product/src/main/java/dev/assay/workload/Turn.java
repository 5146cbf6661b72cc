package dev.assay.workload;

import java.util.OptionalInt;

/**
 * The place of a request in a conversation. A turn that follows another is scheduled {@code thinkNanos} after that
 * one's answer ended, and its prompt is preceded by all earlier prompts and the answers that the server gave to them.
 *
 * @param conversation the conversation's name, unique in the run
 * @param number which turn it is, from 0
 * @param after the id of the request whose answer it waits for; empty for the first turn
 * @param thinkNanos how long after that answer's end it is scheduled
 */
public record Turn(String conversation, int number, OptionalInt after, long thinkNanos) {
    public Turn {
        if (number < 0 || thinkNanos < 0) {
            throw new IllegalArgumentException("turn " + number + " after " + thinkNanos
                    + " ns; expected 0 or more");
        }
        if (number == 0 && after.isPresent()) {
            throw new IllegalArgumentException("turn 0 waits for request " + after.getAsInt()
                    + "; expected nothing to wait for");
        }
    }
}

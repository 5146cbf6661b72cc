/** Continuous batching and the paged KV manager as pure, clock-free logic. */
@NullMarked
package dev.assay.scheduler;

import org.jspecify.annotations.NullMarked;

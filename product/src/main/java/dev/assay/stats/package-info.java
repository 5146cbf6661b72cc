/** Samples, intervals, tests, bootstrap: pure functions without clock or randomness of their own. */
@NullMarked
package dev.assay.stats;

import org.jspecify.annotations.NullMarked;

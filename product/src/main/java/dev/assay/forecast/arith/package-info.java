/** First principles of serving on any accelerator: formats, memory, parallelism, steps and pages as pure functions. */
@NullMarked
package dev.assay.forecast.arith;

import org.jspecify.annotations.NullMarked;

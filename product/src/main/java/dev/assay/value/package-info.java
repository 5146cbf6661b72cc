/** Goodput, cost and memory at each load point. */
@NullMarked
package dev.assay.value;

import org.jspecify.annotations.NullMarked;

/** The embedded inference server: weights, kernels, step loop, HTTP, metrics. */
@NullMarked
package dev.assay.engine;

import org.jspecify.annotations.NullMarked;

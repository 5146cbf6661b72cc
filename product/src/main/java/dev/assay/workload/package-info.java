/** Requests, arrivals, length distributions, trace readers, what came back per request, and the metrics' definitions. */
@NullMarked
package dev.assay.workload;

import org.jspecify.annotations.NullMarked;

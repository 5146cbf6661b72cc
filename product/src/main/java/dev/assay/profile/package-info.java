/** Profiler files: the steps of an engine, with their shapes. */
@NullMarked
package dev.assay.profile;

import org.jspecify.annotations.NullMarked;

/** Commands, exit codes, wiring; the only place that prints. */
@NullMarked
package dev.assay.cli;

import org.jspecify.annotations.NullMarked;

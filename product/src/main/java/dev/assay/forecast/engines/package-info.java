/** Settings of real engines from their command lines: names, short forms and documented defaults. */
@NullMarked
package dev.assay.forecast.engines;

import org.jspecify.annotations.NullMarked;

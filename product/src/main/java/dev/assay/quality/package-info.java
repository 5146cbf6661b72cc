/** Output comparison and likelihood differences of two arms. */
@NullMarked
package dev.assay.quality;

import org.jspecify.annotations.NullMarked;

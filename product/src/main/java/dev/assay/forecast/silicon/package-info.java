/** A step law for real accelerators, calibrated on measured TPOT and scored on families that it did not see. */
@NullMarked
package dev.assay.forecast.silicon;

import org.jspecify.annotations.NullMarked;

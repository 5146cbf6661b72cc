/** Hardware and model arithmetic, calibration, the twin, limiters. */
@NullMarked
package dev.assay.forecast;

import org.jspecify.annotations.NullMarked;

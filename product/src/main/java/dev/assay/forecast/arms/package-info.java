/** Arms of a change on given hardware: memory, state at any load, limiters, flips and maps. */
@NullMarked
package dev.assay.forecast.arms;

import org.jspecify.annotations.NullMarked;

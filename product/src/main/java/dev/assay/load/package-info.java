/** Open-loop generator, server control, metric scraping: what makes runs. */
@NullMarked
package dev.assay.load;

import org.jspecify.annotations.NullMarked;

/** The null server: answers at once with made-up tokens, so that what a client costs and errs can be measured. */
@NullMarked
package dev.assay.load.nullserver;

import org.jspecify.annotations.NullMarked;

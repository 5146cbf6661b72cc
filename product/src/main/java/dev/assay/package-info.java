/** The fault type that every package shares; nothing else lives here. */
@NullMarked
package dev.assay;

import org.jspecify.annotations.NullMarked;

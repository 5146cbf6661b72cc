/** One view of a review: terminal, Markdown, HTML. */
@NullMarked
package dev.assay.report;

import org.jspecify.annotations.NullMarked;

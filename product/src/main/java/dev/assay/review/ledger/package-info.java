/** What past reviews say about the forecasts that were sealed in them. */
@NullMarked
package dev.assay.review.ledger;

import org.jspecify.annotations.NullMarked;

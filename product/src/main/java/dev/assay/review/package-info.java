/** Proposal, claims, seal, journal, verdicts, decision. */
@NullMarked
package dev.assay.review;

import org.jspecify.annotations.NullMarked;

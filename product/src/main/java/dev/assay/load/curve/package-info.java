/** The operating curve of a server: a search for the highest load that meets an SLO, and points around it. */
@NullMarked
package dev.assay.load.curve;

import org.jspecify.annotations.NullMarked;

/** Results of other load generators, and of this one, as runs whose metrics are named by their formula. */
@NullMarked
package dev.assay.load.imported;

import org.jspecify.annotations.NullMarked;

/** Strict reading and canonical writing of JSON and YAML: the only place that knows Jackson. */
@NullMarked
package dev.assay.json;

import org.jspecify.annotations.NullMarked;

/** Model files: the GGUF header, tensor directory, shapes and weight formats, read alike by engine and forecast. */
@NullMarked
package dev.assay.model;

import org.jspecify.annotations.NullMarked;

package dev.assay.review;

/**
 * An immutable file of evidence, addressed by its content.
 *
 * @param kind what it holds, such as {@code requests} or {@code telemetry}
 * @param file its name within {@code evidence/}: the first 16 hexadecimal digits of the hash, the kind, the extension
 * @param sha256 of the whole file, hexadecimal
 * @param bytes its length
 */
public record EvidenceRef(String kind, String file, String sha256, long bytes) {}

package dev.assay.forecast.arms;

import dev.assay.forecast.arith.KvMemory;
import dev.assay.forecast.arith.Routing;
import java.util.OptionalDouble;

/**
 * What a forecast takes beside models, hardware and engines.
 *
 * @param activationBytes measured peak of activations, where known
 * @param otherBytes measured memory outside of tensors
 * @param routing of tokens to experts
 * @param sharedPrefix tokens with which every prompt begins
 * @param acceptance probability that a drafted token is accepted, where known
 * @param draftCost time to draft one token, over a step of the model
 */
public record ArmInputs(OptionalDouble activationBytes, double otherBytes, Routing routing, int sharedPrefix,
        OptionalDouble acceptance, double draftCost) {
    /** Nothing known. */
    public static final ArmInputs NONE = new ArmInputs(OptionalDouble.empty(), KvMemory.OTHER_BYTES,
            Routing.UNIFORM, 0, OptionalDouble.empty(), 0);

    public ArmInputs {
        if (acceptance.isPresent() && !(acceptance.getAsDouble() >= 0 && acceptance.getAsDouble() < 1)) {
            throw new IllegalArgumentException(
                    "acceptance is " + acceptance.getAsDouble() + "; expected 0 or more, below 1");
        }
        if (sharedPrefix < 0 || !(draftCost >= 0) || !(otherBytes >= 0)) {
            throw new IllegalArgumentException("shared prefix " + sharedPrefix + ", draft cost " + draftCost
                    + ", other bytes " + otherBytes + "; expected 0 or more");
        }
    }
}

package dev.assay.engine;

/**
 * A request for tokens, checked and ready to run.
 *
 * @param chat            whether the answer has the chat API's shape
 * @param prompt          token ids of the prompt
 * @param params          how to generate
 * @param stream          whether tokens are sent as they come
 * @param includeUsage    whether a stream ends with a usage chunk
 * @param continuousUsage whether every chunk carries usage
 * @param echo            whether the text begins with the prompt
 * @param returnTokenIds  whether token ids are sent beside the text
 * @param tokensAsIds     whether log-probabilities name tokens as {@code token_id:N}
 */
record CompletionRequest(boolean chat, int[] prompt, SamplingParams params, boolean stream,
        boolean includeUsage,
        boolean continuousUsage, boolean echo, boolean returnTokenIds, boolean tokensAsIds) {}

package dev.assay.quality;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A text to continue, with the name by which both arms' outputs of it are matched. */
public record QualityPrompt(String id, String text) {
    /**
     * A small fixed set of plain English openings: subjects, sentence lengths and tenses differ, none asks a question, so
     * that a base model and a tuned model alike simply continue them.
     */
    public static final List<QualityPrompt> DEFAULT = List.of(
            new QualityPrompt("harbour",
                    "The ferry left the harbour at six in the morning, and before long the town behind it was"),
            new QualityPrompt("bread",
                    "To bake a plain loaf of bread, mix the flour with water and salt, then leave the dough"),
            new QualityPrompt("river",
                    "In spring the river rises with the melting snow. The people who live along its banks"),
            new QualityPrompt("letter",
                    "My dear friend, I received your letter yesterday and I was glad to read that"),
            new QualityPrompt("list",
                    "The box held three things: a small brass key, a folded map of the island, and"),
            new QualityPrompt("engine",
                    "A steam engine turns heat into motion. Water is boiled in a closed vessel, and the steam"),
            new QualityPrompt("king",
                    "There was once a king who had two sons. The elder was strong and proud, but the younger"),
            new QualityPrompt("count", "One, two, three, four, five, six, seven, eight, nine, ten,"));

    public QualityPrompt {
        if (id.isEmpty() || text.isEmpty()) {
            throw new IllegalArgumentException(
                    "prompt '" + id + "': expected an id and a text that are not empty");
        }
    }

    /** The prompts, checked to be at least one and to have different ids. */
    static List<QualityPrompt> checked(List<QualityPrompt> prompts) {
        if (prompts.isEmpty()) {
            throw new IllegalArgumentException("0 prompts: expected at least 1");
        }
        Set<String> ids = new HashSet<>();
        for (QualityPrompt prompt : prompts) {
            if (!ids.add(prompt.id())) {
                throw new IllegalArgumentException(
                        "prompt '" + prompt.id() + "' twice: expected different ids");
            }
        }
        return List.copyOf(prompts);
    }
}

package dev.assay.quality;

/** The raw evidence of a quality comparison: settings, plan and both arms' answers. */
public record QualityRaw(QualitySettings settings, TeacherForcing plan, ArmOutputs baseline,
        ArmOutputs candidate) {
    public QualityRaw {
        int planned = plan.positions().size();
        if (baseline.next().size() != planned || candidate.next().size() != planned) {
            throw new IllegalArgumentException(
                    baseline.next().size() + " baseline and " + candidate.next().size()
                            + " candidate answers: expected one per planned position, " + planned);
        }
    }
}

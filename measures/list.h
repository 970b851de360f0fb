/* What is measured in every run, in this order: SHK_LISTED(name) stands for name.c. */
SHK_LISTED(energy)
SHK_LISTED(constraint)
SHK_LISTED(invariants)
SHK_LISTED(multiplier)
SHK_LISTED(branch)
SHK_LISTED(constraint_work)
SHK_LISTED(regularity)
SHK_LISTED(work)

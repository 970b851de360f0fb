/* The problems that are built in: SHK_LISTED(name) stands for name.c. */
SHK_LISTED(pendulum)
SHK_LISTED(sprung_pendulum)
SHK_LISTED(spherical_pendulum)
SHK_LISTED(double_pendulum)
SHK_LISTED(chain)
SHK_LISTED(charged_pendulum)
SHK_LISTED(harmonic_sphere)
SHK_LISTED(index_one)

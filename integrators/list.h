/* The integrators that are built in: SHK_LISTED(name) stands for name.c. */
SHK_LISTED(verlet)
SHK_LISTED(symplectic_euler)
SHK_LISTED(ida)
SHK_LISTED(reference)
SHK_LISTED(exact)

# Paths of harmonic-sphere on the sphere of fibres: with z_k = q_k + i p_k Hopf's map ζ = 2 z_1
# conj(z_2), ρ = |z_1|² - |z_2|², seen from the pole by ζ/(sqrt(|ζ|² + ρ²) + ρ); McLachlan, Modin,
# Verdier & Wilkins 2014, (21) and Figure 4. The pole is chosen so that the start za has the
# innermost path, as they state. starts: number of the first block of each path. Paths are numbered
# on their inner side.
# Columns: time, q1, q2, p1, p2.
hopf(q1, q2, p1, p2) = 2*(q1 + {0,1}*p1)*(q2 - {0,1}*p2)
above(z, r) = z/(sqrt(abs(z)**2 + r**2) + r)
map(q1, q2, p1, p2) = above(hopf(q1, q2, p1, p2), q1**2 + p1**2 - q2**2 - p2**2)
inside(z) = z*(1 - 0.048*high/abs(z))              # position of the number of a path
plot for [s=1:words(starts)] for [m=1:curves] \
       data index first + at(starts, s) - 1 + at(places, m) - 1 \
       using (real(map($2, $3, $4, $5))):(imag(map($2, $3, $4, $5))) \
       with linespoints linestyle m pointnumber 6, \
     for [s=1:words(starts)] data index first + at(starts, s) - 1 every ::1::1 \
       using (real(inside(map($2, $3, $4, $5)))):(imag(inside(map($2, $3, $4, $5)))): \
       (sprintf('%d', s)) \
       with labels font small textcolor rgb grey

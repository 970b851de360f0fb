# Paths of harmonic-sphere on the sphere of fibres: with z_k = q_k + i p_k Hopf's map ζ = 2 z_1
# conj(z_2), ρ = |z_1|² - |z_2|², seen from the pole by ζ/(sqrt(|ζ|² + ρ²) + ρ); McLachlan, Modin,
# Verdier & Wilkins 2014, (21) and Figure 4. Blocks of data: start by start, one for each method.
# Columns: time, q1, q2, p1, p2.
set datafile separator "\t"; set datafile columnheaders
zeta(q1, q2, p1, p2) = 2*(q1 + {0,1}*p1)*(q2 - {0,1}*p2)
rho(q1, q2, p1, p2) = q1**2 + p1**2 - q2**2 - p2**2
above(z, r) = z/(sqrt(abs(z)**2 + r**2) + r)
X(q1, q2, p1, p2) = real(above(zeta(q1, q2, p1, p2), rho(q1, q2, p1, p2)))
Y(q1, q2, p1, p2) = imag(above(zeta(q1, q2, p1, p2), rho(q1, q2, p1, p2)))
row(x) = strcol(1) eq sprintf('%.9g', x)
stats name.'.dat' using (row($1) ? X($2, $3, $4, $5) : NaN):(Y($2, $3, $4, $5)) \
  name 'Z' nooutput
broad = 1.1*(Z_max_x - Z_min_x); high = 1.1*(Z_max_y - Z_min_y)
ratio = high < 0.5*broad ? 0.5 : high > 1.25*broad ? 1.25 : high/broad
half = (broad > high/ratio ? broad : high/ratio)/2
down = 1; across = 1; tall = ratio*(width - 2.3)
load 'templates/style.gp'
set xrange [(Z_min_x + Z_max_x)/2 - half : (Z_min_x + Z_max_x)/2 + half]
set yrange [(Z_min_y + Z_max_y)/2 - half*ratio : (Z_min_y + Z_max_y)/2 + half*ratio]
set format xy number
set xtics tidy(2*half)
set xlabel 'Re'
set ylabel 'Im'
plot for [s=1:starts] for [m=1:methods] data index (s - 1)*methods + m-1 \
       using (X($2, $3, $4, $5)):(Y($2, $3, $4, $5)) with linespoints linestyle m pointnumber 6, \
     for [s=1:starts] data index at(numbered, s) every ::1::1 \
       using (X($2, $3, $4, $5)):(Y($2, $3, $4, $5)):(sprintf('%d', s)) \
       with labels offset 0.8,0.5 font small textcolor rgb grey
load 'templates/legend.gp'

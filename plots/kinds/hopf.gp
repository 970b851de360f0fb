# Paths of harmonic-sphere on the sphere of fibres: with z_k = q_k + i p_k Hopf's map ζ = 2 z_1
# conj(z_2), ρ = |z_1|² - |z_2|², seen from the pole by ζ/(sqrt(|ζ|² + ρ²) + ρ); McLachlan, Modin,
# Verdier & Wilkins 2014, (21) and Figure 4. Blocks of data: start by start, one for each method.
# Columns: time, q1, q2, p1, p2.
down = 1; across = 1; tall = ratio*(width - 2.3)
load 'templates/style.gp'
zeta(q1, q2, p1, p2) = 2*(q1 + {0,1}*p1)*(q2 - {0,1}*p2)
rho(q1, q2, p1, p2) = q1**2 + p1**2 - q2**2 - p2**2
place(q1, q2, p1, p2) = zeta(q1, q2, p1, p2)/(sqrt(abs(zeta(q1, q2, p1, p2))**2 + rho(q1, q2, \
  p1, p2)**2) + rho(q1, q2, p1, p2))
set xrange [left:right]
set yrange [bottom:top]
set format xy number
set xtics tidy(right - left)
set xlabel 'Re'
set ylabel 'Im'
plot for [s=1:starts] for [m=1:methods] data index (s - 1)*methods + m-1 using (real(place($2, \
     $3, $4, $5))):(imag(place($2, $3, $4, $5))) \
       with linespoints linestyle m pointnumber 6, \
     for [s=1:starts] data index (s - 1)*methods every ::1::1 using (real(place($2, $3, $4, \
     $5))):(imag(place($2, $3, $4, $5))):(sprintf('%d', s)) \
       with labels offset 0.8,0.5 font small textcolor rgb grey
load 'templates/legend.gp'

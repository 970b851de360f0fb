# The fibres above a run of harmonic-sphere: the fibre through z = (q,p) is q(θ) = q cos θ + p sin
# θ, p(θ) = p cos θ - q sin θ, and along it H'(θ) = Σ_i (δ_i2 - q_i(θ)) p_i(θ). Black: H' = 0, the
# hidden constraint; grey: |H'| = 0.1, 0.2, …; dashed: the run, at θ = 0. McLachlan, Modin,
# Verdier & Wilkins 2014, Figure 6; in their (28) only sin 2θ has the right sign. Columns: time, q1,
# q2, p1, p2.
set xrange [*:*]; set yrange [*:*]
stats data index first using 1 name 'T' nooutput
states = T_records
array q1[states]; array q2[states]; array p1[states]; array p2[states]
set table $none
plot data index first using (i = int($0) + 1, q1[i] = $2, q2[i] = $3, p1[i] = $4, p2[i] = $5, 0) \
  with table
unset table
set datafile separator whitespace; unset datafile columnheaders
n(t) = 1 + int((states - 1)*(t - T_min)/(T_max - T_min) + 0.5)
part(q, p, a, gamma) = (gamma - q*cos(a) - p*sin(a))*(p*cos(a) - q*sin(a))
rate(i, a) = part(q1[i], p1[i], a, 0) + part(q2[i], p2[i], a, 1)
shade(level) = 65793*int(90 + 120*abs(level))    # colour of |H'|: larger values are lighter
set xrange [@x]; set yrange [@y]
set samples states
set isosamples 161
set contour base; unset surface
set format '%g'                                  # applies to numbers in the tables, too
set cntrparam linear levels incremental -1.2, 0.1, 1.2
set table $levels
splot rate(n(x), 2*pi*y)
set cntrparam levels discrete 0
set table $zero
splot rate(n(x), 2*pi*y)
unset table; unset contour; set surface
set format x (with_x ? number : ''); set format y (with_y ? number : '')
plot $levels using 1:2:(shade($3)) with lines linewidth 0.7 linecolor rgb variable, \
     $zero using 1:2 with lines linewidth 1.8 linecolor rgb 'black', \
     0 with lines linestyle 1 dashtype (8,4)
set samples 100; set isosamples 10
set datafile separator "\t"; set datafile columnheaders

# The fibres above a run of harmonic-sphere: the fibre through z = (q,p) is q(θ) = q cos θ + p sin
# θ, p(θ) = p cos θ - q sin θ, and along it H'(θ) = Σ_i (V_i(q(θ)) - q_i(θ)) p_i(θ), V_i = quartic
# q_i³ + gravity δ_i2. Black: H' = 0, the hidden constraint; grey: |H'| = 0.1, 0.2, …; broken: the
# run, at θ = 0. The lower panel magnifies that line.
# McLachlan, Modin, Verdier & Wilkins 2014, Figure 6.
# Columns: time, q1, q2, p1, p2.
down = 2; across = 1; tall = 4.4; gap = 0.6
load 'templates/style.gp'
array t[states]; array q1[states]; array q2[states]; array p1[states]; array p2[states]
read = 0
set table $none
plot data index 0 using (read = read + 1, t[read] = $1, q1[read] = $2, q2[read] = $3, \
       p1[read] = $4, p2[read] = $5, 0) with table
unset table
set datafile separator whitespace; unset datafile columnheaders
n(i) = i < 1 ? 1 : i > states ? states : int(i + 0.5)
part(q, p, a, gamma) = (quartic*(q*cos(a) + p*sin(a))**3 + gamma - q*cos(a) \
  - p*sin(a))*(p*cos(a) - q*sin(a))
rate(i, turns) = part(q1[n(i)], p1[n(i)], 2*pi*turns, 0) + part(q2[n(i)], p2[n(i)], 2*pi*turns, \
  gravity)
lower(i) = i < 1 ? 1 : i >= states ? states - 1 : int(i)
moment(i) = t[lower(i)] + (i - lower(i))*(t[lower(i) + 1] - t[lower(i)])
shade(level) = 65793*int(90 + 120*abs(level))    # colour of |H'|: the larger the lighter
array reach[2] = [0.5, 0.06]
set samples states
set isosamples 161
set ylabel say('{/:Italic θ}/2π', '$\theta/2\pi$')
do for [k=1:2] {
  set format '%g'
  set contour base; unset surface; set cntrparam linear
  set xrange [1:states]; set yrange [-reach[k]:reach[k]]
  set cntrparam levels incremental -1.2, 0.1, 1.2
  set table $levels
  splot rate(x, y)
  set cntrparam levels discrete 0
  set table $zero
  splot rate(x, y)
  unset table; unset contour; set surface
  set xrange [t[1]:t[states]]
  if (k == 2) { set xlabel say('time {/:Italic t}', 'time $t$') } else { unset xlabel }
  set format y number; set format x k == 2 ? number : ''
  plot $levels using (moment($1)):2:(shade($3)) with lines linewidth 0.7 linecolor rgb variable, \
       $zero using (moment($1)):2 with lines linewidth 1.8 linecolor rgb 'black', \
       0 with lines linestyle 1 dashtype (8,4)
}
set datafile separator "\t"; set datafile columnheaders
load 'templates/legend.gp'

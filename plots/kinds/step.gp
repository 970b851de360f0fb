# One step of SHAKE and of RATTLE on the pendulum: the velocity v⁻ at its start, the kick along the
# rod to v⁺, the free flight q(s) = q0 + s v⁺ + s² a/2 to the circle. There SHAKE's velocity is v1⁻,
# and RATTLE's is its projection v1. The conditions q(h) = q1 and q'(h) = v1⁻ give v⁺ = 2 (q1 -
# q0)/h - v1⁻ and a = (v1⁻ - v⁺)/h. The figure shows the second step, because the first starts from
# a tangent velocity.
# Velocities are drawn as the displacement in half a step; vectors are complex numbers.
# Blocks of data: the states of SHAKE and of RATTLE. Columns: time, q1, q2, p1, p2.
array q[3]; array v[3]
do for [k=1:3] {                # SHAKE's state at the start and at the end, RATTLE's at the end
  set table $none
  plot data index first + k/3 using (abs($1 - (k > 1 ? 2 : 1)*h) < 1e-6*h ? \
    (q[k] = $2 + {0,1}*$3, v[k] = h/2*($4 + {0,1}*$5), 0) : NaN) with table
  unset table
}
kicked = q[2] - q[1] - v[2]     # h/2 v⁺
flight(s) = q[1] + 2*s*kicked + s**2*(v[2] - kicked)
X(z) = real(z); Y(z) = imag(z)
array begin[6] = [q[1], q[1], q[1] + v[1], q[2], q[2] + v[2], q[2]]
array arm[6] = [v[1], kicked, kicked - v[1], v[2], v[3] - v[2], v[3]]
array shape[6] = [1, 3, 4, 1, 4, 2]
before = '^'.say('−', '-')
velocity(sign) = math(letter('v').sign)
array names[6] = [velocity(before), velocity('^+'), '', velocity('_1'.before), '', velocity('_1')]
tip(k) = begin[k] + (k == 2 ? 1.3 : 1.22)*arm[k]
set style arrow 1 head filled size screen 0.02,20 linestyle 1 dashtype 1
set style arrow 2 head filled size screen 0.02,20 linestyle 2 dashtype 1
set style arrow 3 head filled size screen 0.02,20 linewidth 1.4 linecolor rgb 'black'
set style arrow 4 head filled size screen 0.02,20 linewidth 1.2 linecolor rgb grey
plot for [k=1:2] '+' every ::0::0 using (0):(0):(X(q[k])):(Y(q[k])) \
       with vectors nohead linewidth 0.8 linecolor rgb grey dashtype 3, \
     for [k=1:6] '+' every ::0::0 using (X(begin[k])):(Y(begin[k])):(X(arm[k])):(Y(arm[k])) \
       with vectors arrowstyle shape[k], \
     for [k=1:6] '+' every ::0::0 using (X(tip(k))):(Y(tip(k))):(names[k]) \
       with labels font small, \
     (x**2 > abs(q[1])**2 ? NaN : -sqrt(abs(q[1])**2 - x**2)) with lines linewidth 1 linecolor rgb grey, \
     '+' using (X(flight($0/99))):(Y(flight($0/99))) \
       with lines linewidth 1.4 dashtype 2 linecolor rgb 'black', \
     for [k=1:2] '+' every ::0::0 using (X(q[k])):(Y(q[k])) \
       with points pointtype 7 pointsize 0.6 linecolor rgb 'black'

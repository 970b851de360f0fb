# One step of SHAKE and of RATTLE on the pendulum: the velocity v⁻ at its start, the kick along the
# rod to v⁺, the free flight q(s) = q0 + s v⁺ + s² a/2 to the circle. There SHAKE's velocity is v1⁻,
# and RATTLE's is its projection v1. From q(h) = q1 and q'(h) = v1⁻ follow v⁺ = 2 (q1 - q0)/h - v1⁻
# and a = (v1⁻ - v⁺)/h. Velocities are drawn as the displacement in half a step; vectors are complex
# numbers.
# Blocks of data: SHAKE's state at the start and at the end, RATTLE's at the end. Columns: x, y,
# velocity in x and in y.
down = 1; across = 1; tall = 0.8*(width - 2.3)
load 'templates/style.gp'
array q[3]; array v[3]
do for [k=1:3] {
  set table $none
  plot data index k-1 using (q[k] = $1 + {0,1}*$2, v[k] = $3 + {0,1}*$4, 0) with table
  unset table
}
kicked = 2*(q[2] - q[1])/h - v[2]
flight(s) = q[1] + s*kicked + s**2/2*(v[2] - kicked)/h
X(z) = real(z); Y(z) = imag(z)
unit(z) = z/abs(z)
array tip[4] = [q[1] + h/2*v[1], q[1] + h/2*kicked, q[2] + h/2*v[2], q[2] + h/2*v[3]]
left = X(q[1]); right = left; bottom = Y(q[1]); ceiling = bottom
widen(z) = (left = X(z) < left ? X(z) : left, right = X(z) > right ? X(z) : right, \
  bottom = Y(z) < bottom ? Y(z) : bottom, ceiling = Y(z) > ceiling ? Y(z) : ceiling)
none = widen(q[2])
do for [k=1:4] { none = widen(tip[k]) }
half = 0.68*((right - left) > (ceiling - bottom)/0.8 ? right - left : (ceiling - bottom)/0.8)
set xrange [(left + right)/2 - half : (left + right)/2 + half]
set yrange [(bottom + ceiling)/2 - 0.8*half : (bottom + ceiling)/2 + 0.8*half]
set format xy number
set xlabel say('{/:Italic q}_1', '$q_1$')
set ylabel say('{/:Italic q}_2', '$q_2$')
set style arrow 1 head filled size screen 0.02,20 linestyle 1 dashtype 1
set style arrow 2 head filled size screen 0.02,20 linestyle 2 dashtype 1
set style arrow 3 head filled size screen 0.02,20 linewidth 1.4 linecolor rgb 'black'
set style arrow 4 head filled size screen 0.02,20 linewidth 1.2 linecolor rgb grey
set style arrow 5 nohead linewidth 0.8 linecolor rgb grey dashtype 3
set arrow from 0,0 to X(q[1]),Y(q[1]) arrowstyle 5
set arrow from 0,0 to X(q[2]),Y(q[2]) arrowstyle 5
set arrow from X(q[1]),Y(q[1]) to X(tip[1]),Y(tip[1]) arrowstyle 1
set arrow from X(q[1]),Y(q[1]) to X(tip[2]),Y(tip[2]) arrowstyle 3
set arrow from X(tip[1]),Y(tip[1]) to X(tip[2]),Y(tip[2]) arrowstyle 4
set arrow from X(q[2]),Y(q[2]) to X(tip[3]),Y(tip[3]) arrowstyle 1
set arrow from X(tip[3]),Y(tip[3]) to X(tip[4]),Y(tip[4]) arrowstyle 4
set arrow from X(q[2]),Y(q[2]) to X(tip[4]),Y(tip[4]) arrowstyle 2
array names[4] = [say('{/:Italic v}^−', '$v^-$'), say('{/:Italic v}^+', '$v^+$'), \
  say('{/:Italic v}_1^−', '$v_1^-$'), say('{/:Italic v}_1', '$v_1$')]
do for [k=1:4] {
  beside = tip[k] + 0.12*half*unit(tip[k] - q[k > 2 ? 2 : 1])
  set label names[k] at X(beside),Y(beside) center font small
}
set parametric
set trange [0:1]
plot abs(q[1])*cos(2*pi*t),abs(q[1])*sin(2*pi*t) with lines linewidth 1 linecolor rgb grey, \
     X(flight(h*t)),Y(flight(h*t)) with lines linewidth 1.4 dashtype 2 linecolor rgb 'black', \
     for [k=1:2] data index k-1 using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb \
       'black'
unset parametric
load 'templates/legend.gp'

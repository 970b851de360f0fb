# Values of a study's methods from version to version of its baseline, a block of data for each
# method.
# Columns: version, order of q, error and evaluations relative to the first version.
down = 3; across = 1; tall = 3
load 'templates/style.gp'
set xrange [0.5:versions + 0.5]
set xtics 1
set offsets 0, 0, graph 0.06, graph 0.06
array axis[3] = [say('order of {/:Italic q}', 'order of $q$'), 'ratio of errors', \
  'ratio of evaluations']
do for [k=1:3] {
  set ylabel axis[k]
  if (k == 3) { set xlabel 'version'; set format x '%h' } else { unset xlabel; set format x '' }
  plot for [m=1:methods] data index m-1 using 1:k+1 with linespoints linestyle m
}
load 'templates/legend.gp'

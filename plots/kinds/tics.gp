# Tics: steps of less than two decades have some at 1, 2 and 5; few on a short axis.
short = exists('least') && width/across > 6 ? largest < 100*least : 0
if (short) {
  do for [d=-12:6] {
    set xtics add (10.0**d, 2*10.0**d, 5*10.0**d)
  }
}
decade(range) = 10**floor(log10(range/4))
tidy(range) = decade(range)*(range/4 < 2*decade(range) ? 2 : range/4 < 5*decade(range) ? 5 : 10)
# Room for a legend inside, on a logarithmic axis.
lift(low, high) = inside ? (high/low)**(0.36*words(legend)/tall) : 1
pitch = type eq 'svg' ? 0.97 : 1.03      # of the lines of a legend, whose fonts differ in height

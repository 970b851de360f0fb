# Tics: axes of less than two decades have tics at 1, 2 and 5; short axes have few.
short = exists('least') && width/across > 6 ? largest < 100*least : 0
if (short) {
  do for [d=-12:6] {
    set xtics add (10.0**d, 2*10.0**d, 5*10.0**d)
  }
}
decade(range) = 10**floor(log10(range/4))
tidy(range) = decade(range)*(range/4 < 2*decade(range) ? 2 : range/4 < 5*decade(range) ? 5 : 10)
# Room for a legend inside the panel, on a logarithmic axis.
lift(low, high) = inside ? (high/low)**(0.36*words(legend)/tall) : 1
pitch = type eq 'svg' ? 0.97 : 1.03      # line height of a legend; fonts differ in height

#!/usr/bin/perl
# Runge-Kutta of order four on the equations of index one, projected after every step, in Perl:
#
#     q' = M⁻¹ p,  p' = -V_q - Gᵀ lambda,  G M⁻¹ Gᵀ lambda = g_qq[v,v] - G M⁻¹ V_q
#     q onto g(q) = 0 and p onto G M⁻¹ p = 0, in the metric of M
#
# Claims: GNI, IV.4: projection keeps the order; such a method is neither symmetric nor symplectic.
# The equations of index one depend, off the constraint, on how it is written.
use strict;
use warnings;
$| = 1;

sub hear { my $line = <STDIN>; exit 0 unless defined $line; return split ' ', $line; }
sub say_line { print join(' ', @_), "\n"; }
sub text { return map { sprintf '%.17g', $_ } @_; }

my ($n, $m, @mass);

# Asks for a function of the problem; dies where it fails.
sub ask {
    my ($word, @numbers) = @_;
    say_line($word, text(@numbers));
    my ($kind, @values) = hear();
    die "stopped the problem answered $kind\n" unless $kind eq 'values';
    return @values;
}

sub largest { my $max = 0; for (@_) { $max = abs $_ if abs $_ > $max } return $max; }

# x with A x = b: elimination with partial pivoting. A is a list of rows.
sub solve {
    my ($A, @b) = @_;
    my @rows = map { [@{ $A->[$_] }, $b[$_]] } 0 .. $m - 1;
    for my $k (0 .. $m - 1) {
        my ($best) = sort { abs $rows[$b][$k] <=> abs $rows[$a][$k] } $k .. $m - 1;
        @rows[$k, $best] = @rows[$best, $k];
        die "singular the constraints are not independent\n" if $rows[$k][$k] == 0;
        for my $i ($k + 1 .. $m - 1) {
            my $factor = $rows[$i][$k] / $rows[$k][$k];
            $rows[$i][$_] -= $factor * $rows[$k][$_] for $k .. $m;
        }
    }
    my @x = (0) x $m;
    for my $i (reverse 0 .. $m - 1) {
        my $rest = $rows[$i][$m];
        $rest -= $rows[$i][$_] * $x[$_] for $i + 1 .. $m - 1;
        $x[$i] = $rest / $rows[$i][$i];
    }
    return @x;
}

sub jacobian {
    my @G = ask('G', @_);
    return map { [@G[$_ * $n .. ($_ + 1) * $n - 1]] } 0 .. $m - 1;
}

# A M⁻¹ x for rows A, and the rows of A M⁻¹ Bᵀ.
sub row_products {
    my ($A, @x) = @_;
    return map { my $row = $_; my $sum = 0; $sum += $row->[$_] * $x[$_] / $mass[$_] for 0 .. $n - 1; $sum } @$A;
}
sub product { my ($A, $B) = @_; return [map { my $row = $_; [row_products($B, @$row)] } @$A]; }

sub plus_transposed {
    my ($x, $factor, $G, @y) = @_;
    my @out = @$x;
    for my $k (0 .. $m - 1) { $out[$_] += $factor * $G->[$k][$_] * $y[$k] for 0 .. $n - 1 }
    return @out;
}

# (q', p') and lambda
sub slope {
    my ($t, @z) = @_;
    my @q = @z[0 .. $n - 1];
    my @v = map { $z[$n + $_] / $mass[$_] } 0 .. $n - 1;
    my @V = ask('H_q', $t, @z);
    my @G = jacobian($t, @q);
    my @c = ask('curvature', $t, @q, @v);
    my @s = row_products(\@G, @V);
    my @lambda = solve(product(\@G, \@G), map { $c[$_] - $s[$_] } 0 .. $m - 1);
    return ([@v, plus_transposed([map { -$_ } @V], -1, \@G, @lambda)], @lambda);
}

sub project {
    my ($t, @z) = @_;
    my @q = @z[0 .. $n - 1];
    my @p = @z[$n .. 2 * $n - 1];
    my $last = 9e99;
    for my $turn (0 .. 50) {
        my @G = jacobian($t, @q);
        my @s = solve(product(\@G, \@G), ask('g', $t, @q));
        my @move = plus_transposed([(0) x $n], -1, \@G, @s);
        $q[$_] += $move[$_] /= $mass[$_] for 0 .. $n - 1;
        my $size = largest(@move) / largest(@q);
        last if $size < 1e-13 && $size >= $last / 2;
        die "not-converged the projection does not converge\n" if $turn == 50 || $size != $size;
        $last = $size;
    }
    my @G = jacobian($t, @q);
    @p = plus_transposed(\@p, -1, \@G, solve(product(\@G, \@G), row_products(\@G, @p))) for 1 .. 2;
    return (@q, @p);
}

sub step {
    my ($t, $h, @z) = @_;
    @mass = ask('mass') unless @mass;
    @z = @z[0 .. 2 * $n - 1];
    my @at = (0, $h / 2, $h / 2, $h);
    my (@sum, @lambda, $k) = ();
    @sum = @z;
    for my $stage (0 .. 3) {
        my @y = $stage ? map { $z[$_] + $at[$stage] * $k->[$_] } 0 .. $#z : @z;
        ($k, my @multiplier) = slope($t + $at[$stage], @y);
        @lambda = @multiplier if $stage == 0;
        my $weight = $h / ($stage == 0 || $stage == 3 ? 6 : 3);
        $sum[$_] += $weight * $k->[$_] for 0 .. $#z;
    }
    return (project($t + $h, @sum), @lambda, (0) x $m);
}

hear();
say_line('shakedown-integrator 1 name=index-one version=1 precision=double order-q=4 order-p=4',
    'order-lambda=4 order-lambda-state=4 keeps-constraint=yes keeps-hidden=yes symplectic=no',
    'symmetric=no keeps-momenta=no formulation-independent=no affine-equivariant=yes');
(undef, $n, $m) = hear();
say_line('ready');
while (my ($word, @numbers) = hear()) {
    my @done = eval { step(@numbers) };
    if ($@) { say_line('fail', split ' ', $@ =~ /^[a-z-]+ the / ? $@ : "stopped $@") }
    else { say_line('done', text(@done)) }
}

% RATTLE for a general Hamiltonian, written in GNU Octave as an integrator for Shakedown.
%
%     p_half = p0 - h/2 (H_q(q0,p_half) + G(q0)' lambda)
%     q1     = q0 + h/2 (H_p(q0,p_half) + H_p(q1,p_half))          g(q1) = 0
%     p1     = p_half - h/2 (H_q(q1,p_half) + G(q1)' mu)           G(q1) H_p(q1,p1) = 0
%
% Source: Jay (1996); Hairer, Lubich & Wanner, Geometric Numerical Integration, (VII.1.26). Each step
% is one Newton iteration over (p_half, q1, lambda) and one over (p1, mu), with the exact Hessian of
% H. Octave computes in double precision only.
%
%     shakedown certify 'external(command="octave-cli --no-gui rattle.m")' --allow-external
1; % marks a script file, not a function file

function words = hear ()
  line = [];
  try
    line = input ("", "s"); % fgetl would wait for another line
  end
  if (! ischar (line))
    quit (0, "force"); % end of the session
  end
  words = strsplit (strtrim (line), " ");
end

function say (word, values)
  fputs (stdout, word);
  printf (" %.17g", values);
  fputs (stdout, "\n");
  fflush (stdout);
end

% Evaluates the problem through Shakedown.
function values = ask (word, varargin)
  say (word, vertcat (varargin{:}));
  answer = hear ();
  if (! strcmp (answer{1}, "values"))
    error ("rattle:stopped", "the problem answered %s", strjoin (answer, " "));
  end
  values = sscanf (strjoin (answer(2:end), " "), "%f");
end

function G = jacobian (s, t, q)
  G = reshape (ask ("G", t, q), s.n, s.m)';
end

% H_pp and H_qp; a separable system has a constant diagonal mass and no Hessian request.
function [H_pp, H_qp] = second (s, t, q, p)
  if (s.general)
    H = reshape (ask ("hessian", t, q, p), 2 * s.n, 2 * s.n)';
    H_pp = H(s.n+1:end, s.n+1:end);
    H_qp = H(1:s.n, s.n+1:end);
  else
    H_pp = diag (1 ./ s.mass);
    H_qp = zeros (s.n);
  end
end

% Newton's method, starting from x. It stops when round-off keeps the residual from decreasing.
function x = newton (x, f)
  best = Inf;
  for k = 1:100
    [F, J] = f (x);
    residual = norm (F, Inf);
    if (! (residual < best))
      break;
    end
    best = residual;
    kept = x;
    if (residual == 0)
      break;
    end
    if (rcond (J) < eps)
      error ("rattle:singular", "the Newton matrix is singular");
    end
    x = x - J \ F;
  end
  if (! (best < 1e-9))
    error ("rattle:not-converged", "Newton's method does not converge");
  end
  x = kept;
end

function [F, J] = position_equations (x, s, t, h, q, p, G)
  n = s.n;
  half = x(1:n);
  q1 = x(n+1:2*n);
  lambda = x(2*n+1:end);
  [pp0, qp0] = second (s, t, q, half);
  [pp1, qp1] = second (s, t + h, q1, half);
  G1 = jacobian (s, t + h, q1);
  F = [half - p + h/2 * (ask("H_q", t, q, half) + G' * lambda);
       q1 - q - h/2 * (ask("H_p", t, q, half) + ask("H_p", t + h, q1, half));
       ask("g", t + h, q1)];
  J = [eye(n) + h/2 * qp0,  zeros(n),            h/2 * G';
       -h/2 * (pp0 + pp1),  eye(n) - h/2 * qp1', zeros(n, s.m);
       zeros(s.m, n),       G1,                  zeros(s.m)];
end

function [F, J] = momentum_equations (x, s, t, h, q1, free, G1)
  p1 = x(1:s.n);
  mu = x(s.n+1:end);
  F = [p1 - free + h/2 * G1' * mu; G1 * ask("H_p", t + h, q1, p1)];
  J = [eye(s.n), h/2 * G1'; G1 * second(s, t + h, q1, p1), zeros(s.m)];
end

function z = step (s, t, h, q, p, lambda)
  n = s.n;
  G = jacobian (s, t, q);
  x = newton ([p; q; lambda], @(x) position_equations (x, s, t, h, q, p, G));
  half = x(1:n);
  q1 = x(n+1:2*n);
  lambda = x(2*n+1:end);
  G1 = jacobian (s, t + h, q1);
  free = half - h/2 * ask ("H_q", t + h, q1, half);
  x = newton ([free; lambda], @(x) momentum_equations (x, s, t, h, q1, free, G1));
  z = [q1; x(1:n); lambda; x(n+1:end)];
end

words = hear ();
if (! strcmp (strjoin (words(1:2), " "), "hello 1"))
  error ("expected 'hello 1 PRECISION DIGITS'");
end
say (["shakedown-integrator 1 name=rattle-m version=1.0 precision=double supports=general-hamiltonian" ...
      " order-q=2 order-p=2 order-lambda=1 order-mu=1 order-lambda-mean=2 order-lambda-state=2" ...
      " symplectic=yes presymplectic=yes symmetric=yes keeps-constraint=yes keeps-hidden=yes" ...
      " keeps-momenta=yes energy-bounded=yes"], []);
words = hear ();
s.n = str2double (words{2});
s.m = str2double (words{3});
s.general = strcmp (words{4}, "general-hamiltonian");
say ("ready", []);
s.mass = [];
while (true)
  words = hear ();
  z = sscanf (strjoin (words(2:end), " "), "%f");
  try
    if (! s.general && isempty (s.mass))
      s.mass = ask ("mass");
    end
    z = step (s, z(1), z(2), z(3:2+s.n), z(3+s.n:2+2*s.n), z(3+2*s.n:end));
    say ("done", z);
  catch failure
    code = "stopped";
    if (strncmp (failure.identifier, "rattle:", 7))
      code = failure.identifier(8:end);
    end
    say (["fail " code " " strrep(failure.message, "\n", " ")], []);
  end
end

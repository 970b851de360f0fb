# RATTLE in R, as an integrator for Shakedown: H = p'M^-1 p/2 + V(q), constraints g(q) = 0.
#
#     p_half = p0 - h/2 (V_q(q0) + G(q0)' lambda),   q1 = q0 + h M^-1 p_half,   g(q1) = 0
#     p1     = p_half - h/2 (V_q(q1) + G(q1)' mu),   G(q1) M^-1 p1 = 0
#
# Source: Hairer, Lubich & Wanner, Geometric Numerical Integration, (VII.1.26). R computes in double
# precision only.
#
#     shakedown certify 'external(command="Rscript --vanilla rattle.R")' --allow-external
line <- file("stdin", "r")
hear <- function() {
  words <- readLines(line, 1)
  if (length(words) == 0) quit(save = "no") # end of the session
  strsplit(words, " ")[[1]]
}
say <- function(word, ...) {
  cat(paste(c(word, sprintf("%.17g", c(...))), collapse = " "), "\n", sep = "")
  flush(stdout())
}
# Evaluates the problem through Shakedown.
ask <- function(word, ...) {
  say(word, ...)
  answer <- hear()
  if (answer[1] != "values") stop(paste(c("the problem answered", answer), collapse = " "))
  as.numeric(answer[-1])
}
jacobian <- function(t, q) matrix(ask("G", t, q), m, n, byrow = TRUE)
fail <- function(code, ...) stop(structure(class = c(code, "error", "condition"),
                                           list(message = paste(...), call = NULL)))

# Newton's method until round-off prevents a decrease of the residual.
position <- function(t, h, q, p, lambda, G) {
  kick <- p - h / 2 * ask("H_q", t, q, p)
  kept <- lambda
  best <- Inf
  for (k in 1:100) {
    half <- kick - h / 2 * drop(crossprod(G, lambda))
    q1 <- q + h * half / mass
    g <- ask("g", t + h, q1)
    G1 <- jacobian(t + h, q1)
    if (!isTRUE(max(abs(g)) < best)) break
    best <- max(abs(g))
    kept <- list(half = half, q = q1, lambda = lambda, G = G1)
    if (best == 0) break
    lambda <- lambda + solved(h^2 / 2 * (G1 / rep(mass, each = m)) %*% t(G), g)
  }
  if (best > 1e-9) fail("not-converged", "Newton's method does not converge")
  kept
}
solved <- function(A, b) tryCatch(drop(solve(A, b)), error = function(e) fail("singular", e$message))

step <- function(t, h, q, p, lambda) {
  end <- position(t, h, q, p, lambda, jacobian(t, q))
  free <- end$half - h / 2 * ask("H_q", t + h, end$q, end$half)
  weighed <- end$G / rep(mass, each = m)
  mu <- solved(h / 2 * weighed %*% t(end$G), weighed %*% free)
  c(end$q, free - h / 2 * drop(crossprod(end$G, mu)), end$lambda, mu)
}

if (!identical(hear()[1:2], c("hello", "1"))) stop("expected 'hello 1 PRECISION DIGITS'")
say(paste("shakedown-integrator 1 name=rattle-r version=1.0 precision=double",
          "order-q=2 order-p=2 order-lambda=1 order-mu=1 order-lambda-mean=2 order-lambda-state=2",
          "symplectic=yes presymplectic=yes symmetric=yes keeps-constraint=yes keeps-hidden=yes",
          "keeps-momenta=yes energy-bounded=yes"))
size <- as.integer(hear()[2:3])
n <- size[1]
m <- size[2]
say("ready")
mass <- NULL
repeat {
  z <- as.numeric(hear()[-1])
  tryCatch({
    if (is.null(mass)) mass <- ask("mass")
    say("done", step(z[1], z[2], z[2 + 1:n], z[2 + n + 1:n], z[2 + 2 * n + seq_len(m)]))
  }, error = function(e) {
    code <- if (class(e)[1] %in% c("not-converged", "singular")) class(e)[1] else "stopped"
    cat("fail", code, gsub("\n", " ", conditionMessage(e)), "\n")
    flush(stdout())
  })
}

-- Views of a store (docs/reference/store.md), for as long as it is open:
--
--     sqlite3 -readonly -init docs/reference/views.sql quick.db "SELECT * FROM orders"

-- The newest record of each cell: what `shakedown show` reads.
CREATE TEMP VIEW cells AS
SELECT id, problem, integrator, precision, CAST(step AS REAL) AS step,
  CAST(tolerance AS REAL) AS tolerance, CAST(until AS REAL) AS until, status, reason, seconds, date,
  provenance
FROM main.cells WHERE id IN (SELECT max(id) FROM main.cells GROUP BY cell);

-- What did not end well, and why.
CREATE TEMP VIEW failures AS
SELECT problem, integrator, precision, step, tolerance, status, reason FROM cells
WHERE status <> 'ok';

-- A row for each number of each cell.
CREATE TEMP VIEW numbers AS
SELECT c.*, s.name AS quantity, s.value FROM cells c JOIN scalars s ON s.cell = c.id;

-- What the last analysis found, the verdicts as words.
CREATE TEMP VIEW findings AS
SELECT study, problem, integrator, precision, quantity, value, word, uncertainty, expected,
  CASE verdict WHEN 1 THEN 'held' WHEN 2 THEN 'falsified' WHEN 3 THEN 'undecided'
    WHEN 4 THEN 'refused' WHEN 5 THEN 'failed' END AS verdict, reason
FROM main.findings;

-- Orders side by side, in the precision where they are sharpest.
CREATE TEMP VIEW orders AS
SELECT study, problem, integrator,
  max(value) FILTER (WHERE quantity LIKE 'order of q%') AS q,
  max(value) FILTER (WHERE quantity LIKE 'order of p%') AS p,
  max(value) FILTER (WHERE quantity = 'order of lambda' OR quantity LIKE 'order of lambda (%')
    AS lambda
FROM findings f WHERE quantity LIKE 'order of %' AND uncertainty = (
  SELECT min(uncertainty) FROM main.findings g WHERE g.study = f.study AND g.problem = f.problem
    AND g.integrator = f.integrator AND g.quantity = f.quantity)
GROUP BY study, problem, integrator;

-- How many verdicts of each kind a method has.
CREATE TEMP VIEW verdicts AS
SELECT study, integrator, verdict, count(*) AS count FROM findings WHERE verdict IS NOT NULL
GROUP BY study, integrator, verdict;

-- What errors cost, where the study asks for work and precision; a reason says that it is a bound.
CREATE TEMP VIEW costs AS
SELECT study, problem, integrator, precision,
  substr(quantity, instr(quantity, ' error ') + 7) AS error,
  max(value) FILTER (WHERE quantity LIKE 'cpu-seconds%') AS seconds,
  max(value) FILTER (WHERE quantity LIKE 'evaluations%') AS evaluations, max(reason) AS reason,
  max(value) FILTER (WHERE quantity LIKE 'step%') AS step
FROM findings WHERE quantity LIKE '% at error %' GROUP BY study, problem, integrator, precision, error;

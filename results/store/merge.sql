-- Copies from the attached store `theirs` the records (by key, with their provenance) and studies
-- (by name) that the store lacks. Rows get new numbers, beyond those of the store.
CREATE TEMP TABLE past AS SELECT
  (SELECT ifnull(max(id), 0) FROM main.cells) AS cells,
  (SELECT ifnull(max(id), 0) FROM main.provenance) AS provenance;
CREATE TEMP TABLE added AS
  SELECT * FROM theirs.cells WHERE key NOT IN (SELECT key FROM main.cells);
CREATE TEMP TABLE origins AS
  SELECT * FROM theirs.provenance WHERE id IN (SELECT provenance FROM added);
CREATE TEMP TABLE begun AS
  SELECT name, path, text, date FROM theirs.studies
  WHERE name NOT IN (SELECT name FROM main.studies) ORDER BY id;
UPDATE origins SET id = id + (SELECT provenance FROM past);
UPDATE added SET id = id + (SELECT cells FROM past),
  provenance = provenance + (SELECT provenance FROM past);
INSERT INTO main.provenance SELECT * FROM origins;
INSERT INTO main.cells SELECT * FROM added ORDER BY id;
INSERT INTO main.scalars
  SELECT cell + cells, position, name, value FROM theirs.scalars, past
  WHERE cell + cells IN (SELECT id FROM added);
INSERT INTO main.blobs(cell, kind, name, first, rows, columns, bits, hash, data)
  SELECT cell + cells, kind, name, first, rows, columns, bits, hash, data FROM theirs.blobs, past
  WHERE cell + cells IN (SELECT id FROM added) ORDER BY id;
INSERT INTO main.studies(name, path, text, date) SELECT * FROM begun;
INSERT INTO main.said SELECT * FROM theirs.said WHERE study IN (SELECT name FROM begun);
DROP TABLE past;
DROP TABLE added;
DROP TABLE origins;
DROP TABLE begun;

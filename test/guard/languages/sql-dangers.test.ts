import { expect, it } from 'vitest'
import { sqlDangers } from '../../../src/guard/languages/sql-dangers.ts'

it.each([
  ['DROP TABLE users', ['drop']],
  ['drop/**/table users', ['drop']],
  ['SELECT 1; DROP DATABASE app;', ['drop']],
  ['/*!50000 DROP TABLE users */', ['drop']],
  ['TRUNCATE users', ['truncate']],
  ['DELETE FROM users', ['delete-all']],
  ['DELETE FROM public."users";', ['delete-all']],
  ['DELETE FROM `users`', ['delete-all']],
  ['DELETE FROM users WHERE 1=1', ['delete-all']],
  ['DELETE FROM users WHERE true', ['delete-all']],
  ["DELETE FROM users WHERE 'a' = 'a'", ['delete-all']],
  ['DELETE FROM users WHERE id = 1 OR 1 = 1', ['delete-all']],
  ['DELETE FROM users -- WHERE id = 1', ['delete-all']],
  ["DELETE FROM users RETURNING 'WHERE id = 1'", ['delete-all']],
  ['WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone WHERE id = 1', ['delete-all']],
  ['UPDATE users SET admin = true', ['update-all']],
  ['UPDATE users SET a = (SELECT b FROM c WHERE d = 1)', ['update-all']],
  ['ALTER TABLE users DROP COLUMN email', ['alter-drop']],
  ['GRANT ALL ON app TO evil', ['privileges']],
  ["COPY t TO PROGRAM 'sh'", ['program']],
  ['DO $$ BEGIN DROP TABLE users; END $$', ['drop']],
])('finds the danger in %s', (sql, kinds) => {
  expect(sqlDangers(sql).map(({ kind }) => kind)).toEqual(kinds)
})

it.each([
  'SELECT * FROM users',
  "SELECT 'DROP TABLE users'",
  '-- DROP TABLE users',
  '/* DELETE FROM users */ SELECT 1',
  'DELETE FROM users WHERE id = 5',
  'DELETE FROM users WHERE id IN (SELECT id FROM old)',
  'UPDATE users SET a = 1 WHERE id = 2',
  "INSERT INTO log VALUES ('DELETE FROM users')",
  'CREATE TABLE t (a int REFERENCES u ON DELETE CASCADE)',
  'ALTER TABLE t ALTER COLUMN a DROP DEFAULT',
  'SELECT drop_count, "delete" FROM stats',
  'INSERT INTO t VALUES (1) ON CONFLICT DO UPDATE SET a = 1',
  'SELECT * FROM t FOR UPDATE',
  'EXPLAIN DELETE FROM users',
  'CREATE INDEX i ON t (a)',
])('finds no danger in %s', sql => {
  expect(sqlDangers(sql)).toEqual([])
})

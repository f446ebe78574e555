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

it.each([
  ['BEGIN; DELETE FROM users; ROLLBACK;', []],
  ['START TRANSACTION; UPDATE users SET a = 1; ROLLBACK', []],
  ['BEGIN; DROP TABLE users; ROLLBACK', []],
  ['BEGIN; DELETE FROM users; COMMIT; ROLLBACK;', ['delete-all']],
  ['BEGIN; DELETE FROM users', ['delete-all']],
  ['BEGIN; SAVEPOINT a; DELETE FROM users; ROLLBACK TO a; COMMIT', ['delete-all']],
  ['DELETE FROM users; ROLLBACK', ['delete-all']],
  ['BEGIN; ROLLBACK; DELETE FROM users', ['delete-all']],
  ["BEGIN; DELETE FROM users; SELECT 'ROLLBACK'", ['delete-all']],
  ["BEGIN; COPY t TO PROGRAM 'sh'; ROLLBACK", ['program']],
])('looks at how the transaction ends in %s', (sql, kinds) => {
  expect(sqlDangers(sql, true).map(({ kind }) => kind)).toEqual(kinds)
})

it('knows that a drop cannot be rolled back everywhere, and commits what came before', () => {
  expect(sqlDangers('BEGIN; DROP TABLE users; ROLLBACK').map(({ kind }) => kind)).toEqual(['drop'])
  const before = 'BEGIN; DELETE FROM users; ALTER TABLE t ADD c int; ROLLBACK'
  expect(sqlDangers(before).map(({ kind }) => kind)).toEqual(['delete-all'])
})

it('reads each command of a session on its own', () => {
  expect(sqlDangers(['BEGIN', 'DELETE FROM users', 'ROLLBACK'], true)).toEqual([])
  expect(sqlDangers(["SELECT '", 'DROP TABLE users'], true).map(({ kind }) => kind)).toEqual(['drop'])
})

it('joins the strings that a statement runs', () => {
  const kinds = sqlDangers("DO $$ BEGIN EXECUTE 'TRUNC' || 'ATE users'; END $$").map(({ kind }) => kind)
  expect(kinds).toEqual(['truncate'])
  expect(sqlDangers("SELECT 'drop table ' || name FROM t \\gexec").map(({ kind }) => kind)).toEqual(['drop'])
})

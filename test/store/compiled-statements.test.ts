import { expect, it } from 'vitest'
import { compileStatements, namedStatements, readStatements } from '../../src/store/sqlite/compiled-statements.ts'
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts'

const { statements } = sqliteDialect(null)
const compiled = compileStatements(statements)

it('a compiled statement has the SQL and the values of the one that Kysely builds', () => {
  const read = readStatements(compiled, () => {
    throw new Error('not compiled')
  })
  const values = new Proxy({}, { get: (_, name) => `the ${String(name)}` })
  const all = namedStatements(statements)
  expect(all.length).toBeGreaterThan(150)
  for (const [name, { sql, bind }] of all) {
    const [group, inner] = name.split('.') as [keyof typeof read, string | undefined]
    const found = inner === undefined ? read[group] : Reflect.get(read[group], inner)
    expect([name, found.sql, found.bind(values)]).toEqual([name, sql, bind(values)])
  }
})

it('what is not compiled is built by the call', () => {
  const { remind: _, 'request.one': __, ...rest } = compiled
  const read = readStatements(rest, () => statements)
  expect(read.remind).toBe(statements.remind)
  expect(read.request.one).toBe(statements.request.one)
  expect(read.request.many.sql).toBe(statements.request.many.sql)
  expect(read.inbox).toBe(statements.inbox)
})

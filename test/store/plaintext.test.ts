import { afterEach, describe, expect, it, vi } from 'vitest'
import { plaintextWarning } from '../../src/store/postgres/plaintext.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a PostgreSQL connection without TLS', () => {
  it.each([
    'postgres://u@db.example/x',
    'postgres://u@192.0.2.7:5432/x',
    'postgres://u@[2001:db8::1]/x',
    'postgres://u@127.example/x',
    'postgres://u@db.example/x?sslmode=disable',
  ])('to another host is warned of: %s', url => {
    expect(plaintextWarning(url)).toContain('without TLS')
  })

  it.each([
    'postgres:///x',
    'postgres://u@localhost/x',
    'postgres://u@127.0.0.2/x',
    'postgres://u@[::1]/x',
    'postgres:///x?host=/var/run/postgresql',
    'postgres://u@db.example/x?sslmode=verify-full',
    'postgres://u@db.example/x?ssl=true',
    'postgres://u@db.example:port/x',
  ])('is not warned of where nobody can listen, or nothing connects: %s', url => {
    expect(plaintextWarning(url)).toBeNull()
  })

  it('is found where the host or the mode comes from the environment', () => {
    vi.stubEnv('PGHOST', 'db.example')
    expect(plaintextWarning('postgres:///x')).toContain('db.example')
    vi.stubEnv('PGSSLMODE', 'verify-full')
    expect(plaintextWarning('postgres:///x')).toBeNull()
  })
})

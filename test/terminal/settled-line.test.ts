import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/protocol/answer.ts'
import type { Request } from '../../src/protocol/request.ts'
import { settledLine } from '../../src/terminal/settled-line.ts'
import { aDependency, anApproval, aQuestion, aRequest, aReview } from './requests.ts'

const ship = aRequest([aQuestion({ question: 'Ship it?', labels: ['yes', 'no'] })])
const batch = aRequest([
  aQuestion({ id: 'q1', header: 'Database', labels: ['SQLite'] }),
  aQuestion({ id: 'q2', header: 'Features', labels: ['Cache', 'Trace'], multiSelect: true }),
  aQuestion({ id: 'q3', header: '', question: 'What is it called?' }),
])
const push = anApproval('high', 'git push --force')

/** The line about a request with this outcome, as a person reads it. */
function said(request: Request, outcome: Partial<Outcome> | null, columns = 100, here = true): string {
  const common = {
    answers: [],
    by: 'ana',
    channel: 'terminal',
    at: '2026-01-01T00:00:00.000Z',
    note: null,
    reason: null,
  }
  const settled = outcome && ({ status: 'answered', ...common, ...outcome } as Outcome)
  return settledLine({ ...request, outcome: settled } as Request, columns, { here })
    .map(row => row.map(({ text }) => text).join(''))
    .join('\n')
}

const chose = (...selected: string[]) => ({ answers: [{ id: 'q1', selected, text: null, note: null }] })
const wrote = (text: string, ...selected: string[]) => ({ answers: [{ id: 'q1', selected, text, note: null }] })

describe('the line that a settled prompt leaves', () => {
  it.each<[string, string]>([
    [said(ship, chose('no')), '✔ Ship it? no'],
    [said(aRequest([aQuestion({ question: 'Pick' })]), chose('a', 'b')), '✔ Pick: a, b'],
    [said(ship, wrote('neither,\n나중에\n')), '✔ Ship it? neither, 나중에'],
    [
      said(batch, {
        answers: [
          { id: 'q1', selected: ['SQLite'], text: null, note: null },
          { id: 'q2', selected: ['Cache', 'Trace'], text: null, note: null },
          { id: 'q3', selected: [], text: 'bea\ncon', note: null },
        ],
      }),
      '✔ Database: SQLite · Features: Cache, Trace · What is it called? bea con',
    ],
    [said(batch, chose('SQLite')), '✔ Database: SQLite'],
    [said(push, chose('yes')), '✔ Approved: git push --force'],
    [said(push, { ...chose('yes'), edited: { command: 'git push' } }), '✔ Approved, edited: git push'],
    [
      said(anApproval('low', 'npm test'), { ...chose('yes'), always: 'exact' }),
      '✔ Approved from now on: npm test — exactly this, in /work, with its files as they are, for 30 days',
    ],
    [said(push, { status: 'declined', reason: 'use a lease' }), '✗ Declined: git push --force — use a lease'],
    [said(push, { status: 'declined', reason: 'Not approved' }), '✗ Declined: git push --force'],
    [
      said(batch, { status: 'declined', reason: 'later' }),
      '✗ Declined: Database, Features, What is it called? — later',
    ],
    [said(aDependency('api_key'), { reference: 'ref_x' }), '✔ Provided: KEY'],
    [said(aDependency('permission'), { status: 'declined', reason: 'Permission refused' }), '✗ Declined: KEY'],
    [said(aReview(), chose('approve')), '✔ Approved: The parser'],
    [said(aReview(), wrote('rename\nit', 'changes')), '✗ Changes requested: The parser — rename it'],
    [said(ship, { status: 'skipped' }), '– Skipped: Ship it?'],
    [said(ship, { status: 'skipped', ...chose('no') }), '– Skipped: Ship it? — the default "no" is used'],
    [
      said(ship, { status: 'defaulted', channel: 'policy', ...chose('no') }, 100, false),
      '– Ship it? Time is up: the default "no" was used',
    ],
    [said(ship, { status: 'expired', channel: 'policy' }, 100, false), '✗ Ship it? Time is up: nobody answered'],
    [said(ship, { status: 'cancelled', channel: 'policy', reason: 'Stopped' }), '– Withdrawn: Ship it? — Stopped'],
    [said(ship, { ...chose('no'), channel: 'web' }, 100, false), '✔ Ship it? no (ana, web)'],
    [said(ship, null), '○ Left open: Ship it?'],
  ])('%s', (line, expected) => {
    expect(line).toBe(expected)
  })

  it('is one row on a terminal of 80 columns or more, and keeps both what was asked and what was decided', () => {
    const long = aRequest([aQuestion({ question: `${'why '.repeat(60)}?` })])
    const line = said(long, wrote('because '.repeat(60)), 90)
    expect(line).toMatch(/^✔ why why.*… because because.*…$/)
    expect(line.length).toBe(90)
    const command = anApproval('low', 'x'.repeat(300))
    expect(said(command, { status: 'declined', reason: 'too long' }, 80)).toMatch(/^✗ Declined: x+… — too long$/)
  })

  it('says the same in several rows on a narrower one', () => {
    expect(said(push, { status: 'declined', reason: 'use a lease' }, 40)).toBe(
      '✗ Declined: git push --force — use a\n  lease',
    )
  })

  it('shows what an agent or a person wrote and lets the terminal interpret none of it', () => {
    const evil = aRequest([aQuestion({ question: 'A\x1b[2J\u202eB?' })])
    expect(said(evil, wrote('\x07x'))).toBe('✔ A\\x1b[2J\\u202eB? \\x07x')
  })
})

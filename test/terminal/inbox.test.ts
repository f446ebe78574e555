import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/protocol/event.ts'
import type { HubApi } from '../../src/protocol/hub.ts'
import type { Request } from '../../src/protocol/request.ts'
import { notificationSequence, notificationText } from '../../src/terminal/inbox/desktop-notification.ts'
import { followPending } from '../../src/terminal/inbox/follow-pending.ts'
import { fullScreen } from '../../src/terminal/inbox/full-screen.ts'
import { keys } from '../../src/terminal/inbox/help.ts'
import { type Effect, Inbox } from '../../src/terminal/inbox/inbox.ts'
import { inOrder, itemOf } from '../../src/terminal/inbox/item.ts'
import { pressKey } from '../../src/terminal/inbox/press-key.ts'
import type { Change } from '../../src/terminal/inbox/request-list.ts'
import { view } from '../../src/terminal/inbox/view.ts'
import type { Key } from '../../src/terminal/keys.ts'
import { paint } from '../../src/terminal/paint.ts'
import { widthOfLine } from '../../src/text/styled.ts'
import { until } from '../cli/sandbox.ts'
import { key } from './key.ts'
import { aQuestion, aRequest } from './requests.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

/** The number is its id, and how many minutes after the start it was made. */
function request(number: number, more: object = {}): Request {
  const createdAt = new Date(start + number * 60_000).toISOString()
  const question = aQuestion({ question: `Question ${number}?`, header: '' })
  return { ...aRequest([question], false), id: `req_${number}`, createdAt, agent: codex, ...more } as Request
}

const codex = { name: 'codex', cwd: '/srv', path: [] }

function approval(number: number, severity: string, command = 'rm -rf /srv'): Request {
  const action = { command, cwd: '/srv', digest: 'd', severity, reasons: [], safer: null }
  return request(number, { kind: 'approval', action })
}

/** An inbox that has these, by a clock that the test moves. */
function inboxOf(...requests: Request[]) {
  const clock = { now: start + 3_600_000 }
  const inbox = new Inbox(() => clock.now)
  inbox.update({ arrived: requests.map(one => itemOf(one, null)), left: [] })
  return { inbox, clock, press, type, arrive, settle, ids: () => inbox.list.rows.map(row => row.request.id) }

  function press(name: string, more: Partial<Key> = {}): Effect | null {
    return pressKey(inbox, key({ name, ...more }))
  }

  function type(text: string, more: Partial<Key> = {}): (Effect | null)[] {
    return [...text].map(letter => press(letter.toLowerCase(), { text: letter, ...more }))
  }

  function arrive(one: Request) {
    inbox.update({ arrived: [itemOf(one, null)], left: [] })
  }

  function settle(one: Request) {
    inbox.update({ arrived: [], left: [one] })
  }
}

describe('the order of pending requests', () => {
  it('lists the most dangerous requests first, then the oldest', () => {
    const requests = [request(3), approval(9, 'high'), request(1), approval(2, 'medium'), approval(8, 'critical')]
    const ids = inOrder(requests.map(one => itemOf(one, null))).map(item => item.request.id)
    expect(ids).toEqual(['req_8', 'req_9', 'req_1', 'req_2', 'req_3'])
  })
})

describe('the selected request', () => {
  it('keeps the same request selected while others come and go', () => {
    const { inbox, press, arrive, settle } = inboxOf(request(1), request(2), request(3))
    press('down')
    arrive(approval(9, 'critical'))
    settle(request(1))
    expect(inbox.list.selected?.request.id).toBe('req_2')
    expect(inbox.list.selectedIndex).toBe(1)
  })

  it('selects the next request when the selected one is settled, or the previous one at the end of the list', () => {
    const { inbox, press, settle } = inboxOf(request(1), request(2), request(3))
    press('down')
    settle(request(2))
    expect(inbox.list.selected?.request.id).toBe('req_3')
    settle(request(3))
    expect(inbox.list.selected?.request.id).toBe('req_1')
    settle(request(1))
    expect(inbox.list.selected).toBeNull()
    expect(press('return')).toBeNull()
  })

  it('moves the selection with arrows and letters, and stops at both ends', () => {
    const { inbox, press, type } = inboxOf(...Array.from({ length: 25 }, (_, i) => request(i)))
    const keys = ['up', 'j', 'j', 'k', 'pagedown', 'end', 'pagedown', 'pageup', 'home', 'G']
    const places = keys.map(key => {
      if (key.length === 1) type(key)
      else press(key)
      return inbox.list.selectedIndex
    })
    expect(places).toEqual([0, 1, 2, 1, 11, 24, 24, 14, 0, 24])
    expect(press('return')).toEqual({ open: request(24) })
  })
})

describe('the filter', () => {
  const korean = request(2, { agent: { ...codex, name: '배포 봇' } })

  it('shows requests that contain every word of the filter, in any part of the row', () => {
    const { type, press, ids } = inboxOf(request(1), korean, approval(3, 'low', 'git push'))
    type('/배포 question')
    expect(ids()).toEqual(['req_2'])
    press('escape')
    expect(ids()).toEqual(['req_1', 'req_2', 'req_3'])
    type('/PUSH')
    press('return')
    expect(ids()).toEqual(['req_3'])
    expect(press('escape')).toBeNull()
    expect(ids()).toHaveLength(3)
    expect(press('escape')).toBe('quit')
  })

  it('treats letters in the filter as text, and filters new requests too', () => {
    const { inbox, type, arrive, ids } = inboxOf(request(1), korean)
    expect(type('/qsd').every(effect => effect === null)).toBe(true)
    expect(inbox.focus).toBe('filter')
    arrive(approval(3, 'low', 'qsd'))
    expect(ids()).toEqual(['req_3'])
  })

  it('finds nothing by what is not shown: ids, and the rest of a session', () => {
    const session = '3f2a9c10-aaaa-bbbb'
    const { type, press, ids } = inboxOf(request(1, { session }), request(2))
    for (const hidden of ['req_1', 'aaaa', '9c10', 'dependency']) {
      type(`/${hidden}`)
      expect(ids()).toEqual([])
      press('escape')
    }
    type('/3f2a')
    expect(ids()).toEqual(['req_1'])
  })

  it('narrows the list to a project, an agent or a kind, chosen from what there is', () => {
    const at = (name: string, cwd: string) => ({ agent: { name, cwd, path: [] } })
    const { inbox, press, type, ids } = inboxOf(
      request(1, at('codex', '/srv/shop')),
      request(2, at('codex two', '/srv/shop')),
      request(3, at('codex', '/srv/api')),
      { ...approval(4, 'low'), ...at('codex', '/srv/api') },
    )
    type('f')
    expect(inbox.facets.map(({ facet, value, count }) => `${facet} ${value} ${count}`)).toEqual([
      ...[
        'project shop 2',
        'project api 2',
        'agent codex 3',
        'agent codex two 1',
        'kind question 3',
        'kind approval 1',
      ],
    ])
    for (let i = 0; i < 3; i++) press('down')
    press('return')
    expect(inbox.filter.text).toBe('agent:"codex"')
    expect(ids()).toEqual(['req_1', 'req_3', 'req_4'])
    type('fj')
    press('return')
    expect(inbox.filter.text).toBe('agent:"codex" project:shop')
    expect(ids()).toEqual(['req_1'])
    type('f')
    press('return')
    expect(ids()).toHaveLength(4)
    type('/kind:appr agent:"codex"')
    expect(ids()).toEqual(['req_4'])
  })
})

describe('new requests', () => {
  it('marks what came while the list was open until the pointer was on it', () => {
    const { inbox, press, type, arrive } = inboxOf(request(1))
    expect(inbox.list.newCount).toBe(0)
    arrive(request(2))
    arrive(request(3))
    expect(inbox.list.newCount).toBe(2)
    press('down')
    expect(inbox.list.newCount).toBe(1)
    type('n')
    expect([inbox.list.selected?.request.id, inbox.list.newCount]).toEqual(['req_3', 0])
    type('n')
    expect(inbox.message).toBe('Nothing is new.')
  })
})

describe('answering from the list', () => {
  const choice = (number: number, more: object = {}) => {
    const question = aQuestion({ question: `Fix file${number}.ts?`, header: '', labels: ['yes', 'no'], ...more })
    return request(number, { questions: [question] })
  }
  const answered = (...selected: string[]) => ({ verb: 'answer', input: { answers: [{ id: 'q1', selected }] } })

  it('answers with the option of a number when Enter confirms it', () => {
    const { inbox, press, type } = inboxOf(choice(1))
    expect(type('1')).toEqual([null])
    expect(inbox.focus).toBe('answer')
    type('2')
    expect(press('return')).toEqual({ settle: [choice(1)], by: answered('no') })
    type('2x')
    expect([inbox.focus, press('return')]).toEqual(['list', { open: choice(1) }])
  })

  it('chooses several where several may be chosen, and takes a text where the option needs one', () => {
    const several = choice(1, { multiSelect: true, labels: ['a', 'b', 'c'] })
    const one = inboxOf(several)
    one.type('131')
    expect(one.press('return')).toEqual({ settle: [several], by: answered('c') })
    const own = choice(2, { allowOther: true })
    const other = inboxOf(own)
    other.type('0')
    expect(other.press('return')).toBeNull()
    other.type('나중에')
    expect(other.press('return')).toMatchObject({ by: { input: { answers: [{ selected: [], text: '나중에' }] } } })
    const review = inboxOf(request(3, { kind: 'review', phase: 1, title: 'The parser', files: [], feedback: null }))
    review.type('2')
    expect(review.inbox.focus).toBe('text')
    review.type('rename it')
    expect(review.press('return')).toMatchObject({ by: { input: { answers: [{ selected: ['changes'] }] } } })
  })

  it.each([
    ['there is no such option', choice(1), '7', 'There is no option 7. Enter a number from 1 to 2.'],
    ['no text is allowed', choice(1), '0', 'An answer of your own is not possible here. Enter a number from 1 to 2.'],
    ['there are no options', request(1), '1', 'It has no options to choose from. Press Enter to open it.'],
    ['a yes would be dangerous', approval(1, 'high'), '1', 'This is dangerous: press Enter to open it'],
    [
      'there are several questions',
      request(1, { questions: [aQuestion({ labels: ['a'] }), aQuestion({ id: 'q2', labels: ['b'] })] }),
      '1',
      'It asks 2 questions. Press Enter to open it.',
    ],
  ])('says why a number answers nothing where %s', (_, one, digit, why) => {
    const { inbox, type, press } = inboxOf(one)
    type(digit)
    expect(inbox.focus).toBe('list')
    expect(inbox.message).toContain(why)
    press('down')
    expect(inbox.message).toBeNull()
  })

  it('says no to something dangerous from the list', () => {
    const { press, type } = inboxOf(approval(1, 'critical'))
    type('2')
    expect(press('return')).toMatchObject({ by: { input: { answers: [{ selected: ['no'] }] } } })
  })

  it('answers, declines and snoozes several together', () => {
    const { inbox, press, type } = inboxOf(choice(1), choice(2), choice(3))
    press('space', { text: ' ' })
    press('space', { text: ' ' })
    type('2')
    expect(press('return')).toEqual({ settle: [choice(1), choice(2)], by: answered('no') })
    type('dnot now')
    expect(press('return')).toEqual({
      settle: [choice(1), choice(2)],
      by: { verb: 'decline', reason: 'not now' },
    })
    type('z')
    expect(type('1')).toMatchObject([{ snooze: [{ id: 'req_1' }, { id: 'req_2' }] }])
    type('s')
    expect(inbox.message).toContain('one by one')
    expect(press('escape')).toBeNull()
    expect(inbox.list.marked).toEqual([])
    type('a')
    expect(inbox.list.marked).toHaveLength(3)
  })

  it.each([
    ['answers', '1', choice(2, { labels: ['yes', 'maybe'] }), 'Only requests that ask the same'],
    ['answers', '1', request(2, { agent: { ...codex, name: 'other' } }), 'Only requests that ask the same'],
    ['answers', '2', approval(2, 'high'), 'Dangerous approvals are decided one by one.'],
    ['declines', 'd', approval(2, 'critical'), 'Dangerous approvals are decided one by one.'],
  ])('never %s together what must be looked at by itself', (_, letter, other, why) => {
    const { inbox, press, type } = inboxOf(choice(1), other)
    press('home')
    press('space', { text: ' ' })
    press('space', { text: ' ' })
    type(letter)
    expect([inbox.focus, inbox.message]).toEqual(['list', expect.stringContaining(why)])
  })

  it('leaves out what was settled meanwhile, and never takes in what came meanwhile', () => {
    const { press, type, settle, arrive } = inboxOf(choice(1), choice(2))
    type('a1')
    settle(choice(1))
    arrive(choice(3))
    expect(press('return')).toMatchObject({ settle: [{ id: 'req_2' }] })
  })
})

describe('settling from the list', () => {
  it('skips a request only when Enter confirms it', () => {
    const { press, type } = inboxOf(request(1))
    type('s')
    expect(type('x')).toEqual([null])
    expect(type('s')).toEqual([null])
    expect(press('return')).toEqual({ settle: [request(1)], by: { verb: 'skip', note: null } })
  })

  it('refuses to skip a required request and says why', () => {
    const { inbox, press, type } = inboxOf(request(1, { required: true }))
    type('s')
    expect(inbox.message).toContain('required')
    expect(press('return')).toEqual({ open: expect.anything() })
  })

  it('declines a request only with a reason', () => {
    const { inbox, press, type } = inboxOf(request(1))
    type('d')
    expect(press('return')).toBeNull()
    expect(inbox.message).toContain('Enter a reason')
    type('지금은 안 돼요')
    expect(press('return')).toEqual({ settle: [request(1)], by: { verb: 'decline', reason: '지금은 안 돼요' } })
  })

  it('never settles a request by pasted text', () => {
    const { press, type, inbox } = inboxOf(request(1), request(2))
    const pasted = { pasted: true }
    expect([...type('sdqjr?/', pasted), press('return', pasted)].every(effect => effect === null)).toBe(true)
    expect([inbox.focus, inbox.list.selectedIndex]).toEqual(['list', 0])
    type('s')
    expect(press('return', pasted)).toBeNull()
    press('escape')
    type('d')
    type('no\n', pasted)
    expect(press('return', pasted)).toBeNull()
    expect(inbox.text.text).toBe('no\n\n')
  })

  it('does not apply text typed for a request that is gone to the next one', () => {
    const { inbox, clock, press, type, settle } = inboxOf(request(1), request(2))
    type('d')
    settle(request(1))
    expect(inbox.focus).toBe('list')
    for (const letter of 'sorry, so sorry') {
      clock.now += 120
      expect(type(letter)).toEqual([null])
    }
    expect(press('return')).toBeNull()
    expect(press('c', { ctrl: true })).toBe('quit')
    clock.now += 1_000
    expect(press('return')).toEqual({ open: request(2) })
  })
})

describe('the screen', () => {
  const long = '어떤 데이터베이스를 사용할까요? '.repeat(8)
  const agent = { name: '한국어 이름의 에이전트 👩‍👩‍👧‍👦', cwd: '/srv/아주/긴/경로'.repeat(9), path: ['sub'] }
  const hostile = 'rm\u202e -rf \x1b[2J\x07\n/'
  const many = [
    approval(1, 'critical', hostile),
    approval(2, 'high', long),
    request(3, { context: `# ${long}\n\n- ${long}`, agent, deadline: new Date(start + 9_000_000).toISOString() }),
    request(4, { kind: 'dependency', type: 'api_key', name: 'KEY', description: long, required: true }),
    request(5, { kind: 'review', phase: 2, title: long, files: [long], feedback: null }),
    ...Array.from({ length: 40 }, (_, i) => request(6 + i)),
  ]
  const screenOf = (inbox: Inbox, columns: number, rows: number) => {
    const { lines } = view(inbox, { columns, rows }, { now: start + 90 * 60_000, listening: true, env: {} })
    expect(Math.max(...lines.map(widthOfLine))).toBeLessThanOrEqual(columns)
    expect(lines).toHaveLength(rows)
    return lines.map(one => paint(one, false)).join('\n')
  }

  it.each([10, 20, 40, 41, 80, 81, 200])(
    'draws at most %d columns and never more rows than the screen has',
    columns => {
      const { inbox, press, type } = inboxOf()
      const named = many.map((one, i) => itemOf(one, i % 2 ? '밤마다 도는 실행' : null))
      inbox.update({ arrived: named, left: [] })
      const sizes = [5, 6, 9, 12, 24, 60]
      for (let i = 0; i < many.length; i++) {
        for (const rows of sizes) screenOf(inbox, columns, rows)
        press('down')
      }
      for (const keys of ['?', 'x', 's', 'x', `d${long}`, '', `/${long}`]) {
        if (keys === '') press('escape')
        type(keys)
        inbox.showMessage(long)
        for (const rows of sizes) screenOf(inbox, columns, rows)
      }
    },
  )

  it('drops columns rather than titles on a narrow screen', () => {
    const { inbox, type } = inboxOf()
    inbox.update({ arrived: [itemOf(request(1), 'nightly')], left: [] })
    type('k')
    expect(screenOf(inbox, 40, 24)).toMatch(/^❯ {3}1h {3}\? {2}Question 1\?$/m)
    expect(screenOf(inbox, 60, 24)).toMatch(/^❯ {3}1h {3}\? question {2}codex {2}Question 1\?/m)
    expect(screenOf(inbox, 100, 24)).toMatch(/^❯ {3}1h {3}\? question {2}codex {2}Question 1\? +nightly {2}1$/m)
  })

  it('lists the requests of each session together, below its agent, project and session', () => {
    const claude = { name: 'claude-code', cwd: '/srv/shop', path: [] }
    const [one, other] = ['3f2a9c10-aaaa', '3f2b0000-bbbb']
    const { inbox, ids } = inboxOf(
      request(1, { agent: claude, session: one }),
      request(2, { agent: claude, session: other }),
      request(3, { agent: { ...claude, cwd: '/srv/shop/api' }, session: one }),
      approval(4, 'critical'),
      request(5),
    )
    expect(ids()).toEqual(['req_4', 'req_1', 'req_3', 'req_2', 'req_5'])
    const [, , ...lines] = screenOf(inbox, 80, 40).split('\n')
    expect(lines.slice(0, 9).map(one => one.trim())).toEqual([
      'Dangerous · codex · srv',
      expect.stringMatching(/^❯ .*!! approval {2}rm -rf/),
      'claude-code · shop · session 3f2a',
      expect.stringMatching(/ \? question {2}Question 1\? +1$/),
      expect.stringMatching(/ \? question {2}Question 3\? +3$/),
      'claude-code · shop · session 3f2b',
      expect.stringMatching(/ \? question {2}Question 2\? +2$/),
      'codex · srv',
      expect.stringMatching(/ \? question {2}Question 5\? +5$/),
    ])
    // A low screen shows the requests alone.
    expect(screenOf(inbox, 80, 9)).not.toContain('session 3f2a')
  })

  it('says which session wants the same dangerous command as another in its directory', () => {
    const claude = { name: 'claude-code', cwd: '/srv/결제', path: [] }
    const { inbox, ids } = inboxOf(
      { ...approval(1, 'high'), agent: claude, session: '3f2a9c10-aaaa' },
      { ...approval(2, 'high'), agent: claude, session: '3f2b0000-bbbb' },
      { ...approval(3, 'critical'), agent: claude, session: '3f2b0000-bbbb' },
    )
    expect(ids()).toEqual(['req_3', 'req_1', 'req_2'])
    const headings = screenOf(inbox, 80, 40).match(/^Dangerous .*$/gm)
    expect(headings).toEqual(['3f2b', '3f2a', '3f2b'].map(short => `Dangerous · claude-code · 결제 · session ${short}`))
  })

  it('shows a hostile session harmlessly, and finds requests by session and project', () => {
    const session = `\x1b[2J\u202e\x07${'x'.repeat(150)}`
    const { inbox, type, ids } = inboxOf(request(1, { session }), request(2, { session: 'abcd-1' }), request(3))
    for (const columns of [20, 80, 200]) {
      const shown = screenOf(inbox, columns, 24)
      for (const hidden of ['\x1b', '\x07', '\u202e']) expect(shown).not.toContain(hidden)
    }
    expect(screenOf(inbox, 80, 24)).toContain('session \\x1b[2J')
    type('/srv abcd')
    expect(ids()).toEqual(['req_2'])
  })

  it('shows control characters of an agent instead of obeying them', () => {
    const { inbox } = inboxOf(...many)
    const shown = screenOf(inbox, 80, 24)
    expect(shown).toContain('!! approval')
    expect(shown).toContain('rm\\u202e -rf \\x1b[2J\\x07 /')
    for (const hidden of ['\x1b', '\x07', '\u202e']) expect(shown).not.toContain(hidden)
  })

  it('shows the position in a long list, and how much of a request is cut off', () => {
    const { inbox, press } = inboxOf(...many)
    press('pagedown')
    expect(screenOf(inbox, 80, 24)).toMatch(/── 6–15 of 45 · ↓ 30 more · ↑ 5 more ──/)
    press('home')
    press('down')
    press('down')
    expect(screenOf(inbox, 80, 24)).toMatch(/^… \d+ more lines; press Enter to open it$/m)
  })

  it('counts requests above and below the screen, and says where new ones are', () => {
    const { inbox, press, arrive, type } = inboxOf(...many)
    for (const [columns, rows] of [
      [40, 20],
      [100, 40],
    ] as const) {
      inbox.list.update({ arrived: [], left: [request(900), request(901), approval(902, 'critical')] })
      press('home')
      for (let i = 0; i < 12; i++) press('down')
      const before = inbox.list.selected
      arrive(request(900))
      arrive(request(901))
      arrive(approval(902, 'critical'))
      expect(inbox.list.selected).toBe(before)
      const shown = screenOf(inbox, columns, rows)
      expect(shown).toContain('48 waiting · 3 new')
      expect(shown).toMatch(/^── \d+–\d+ of 48 · ↑ 1 new · ↓ 2 new /m)
    }
    type('/Question 90')
    expect(screenOf(inbox, 40, 20)).toMatch(/^ • .*Question 901\?$/m)
  })

  it('lists every request that one decision is about', () => {
    const alike = Array.from({ length: 30 }, (_, i) => request(i, { context: 'why' }))
    const { inbox, press, type } = inboxOf(...alike)
    type('ad')
    const shown = screenOf(inbox, 40, 20)
    expect(shown).toContain('Why do you decline these 30 requests?')
    expect(shown).toContain('Each has a context of its own.')
    expect(shown).toMatch(/· codex: Question 0\?[\s\S]*↓ \d+ more lines \(PgDn\)/)
    for (let i = 0; i < 3; i++) press('pagedown')
    expect(screenOf(inbox, 40, 20)).toContain('· codex: Question 29?')
  })

  it('says when nothing is waiting and when nothing matches', () => {
    const { inbox, type, arrive } = inboxOf()
    expect(screenOf(inbox, 80, 24)).toMatch(/nothing is waiting[\s\S]*Nothing is waiting for you/)
    arrive(request(1))
    type('/xyz')
    expect(screenOf(inbox, 80, 24)).toMatch(/1 waiting, 0 shown[\s\S]*Nothing matches “xyz”/)
  })

  it('restores the screen when the process exits unexpectedly', () => {
    const output = new PassThrough()
    const screen = fullScreen({ input: new PassThrough(), output, env: { TERM: 'xterm' } })
    screen.draw({ lines: [], cursor: null })
    expect(String(output.read())).toContain('\x1b[?1049h')
    // What Node calls at the end of a process.
    process.listeners('exit').at(-1)?.(1)
    expect(String(output.read())).toBe('\x1b[?2004l\x1b[?25h\x1b[?1049l')
    screen.end()
    screen.draw({ lines: [], cursor: null })
    expect(output.read()).toBeNull()
  })
})

describe('followPending', () => {
  /** The part of a hub that the inbox reads, and its events. */
  function fakeHub(...requests: Request[]) {
    const all = new Map(requests.map(one => [one.id, one]))
    let tell: (event: Pick<Event, 'id' | 'type' | 'request'>) => void = () => {}
    const hub = {
      list: async ({ after = '', limit = 100 }) => {
        const rest = [...all.values()].filter(one => one.status === 'pending' && one.id > after)
        const page = rest.slice(0, limit)
        return { requests: page, next: rest.length > limit ? page.at(-1)?.id : null }
      },
      get: async (id: string) => all.get(id),
      async *follow({ signal }: { signal: AbortSignal }) {
        for (;;) {
          const heard = Promise.withResolvers<unknown>()
          tell = heard.resolve
          signal.addEventListener('abort', heard.resolve, { once: true })
          const event = await heard.promise
          if (signal.aborted) return
          yield event
        }
      },
      inbox: async () => ({ rows: [], next: null }),
      runs: { get: async () => ({ name: 'nightly' }) },
    } as unknown as HubApi
    return {
      hub,
      put: (one: Request) => all.set(one.id, one),
      tell: (type: Event['type'], id: string) => tell({ id: 1, type, request: id }),
    }
  }

  async function following(hub: HubApi) {
    const stop = new AbortController()
    const changes: Change[] = []
    const pending = followPending(hub, {
      signal: stop.signal,
      onChange: change => changes.push(change),
      onError: error => {
        throw error
      },
    })
    await until(() => changes.length > 0, 'the first list')
    const arrived = () => changes.flatMap(change => change.arrived.map(item => item.request.id))
    const left = () => changes.flatMap(change => change.left.map(one => one.id))
    return { pending, changes, arrived, left, stop: () => stop.abort() }
  }

  it('reports all pending requests at the start, over several pages, with the names of their runs', async () => {
    const { hub } = fakeHub(...Array.from({ length: 450 }, (_, i) => request(1_000 + i, { run: 'run_1' })))
    const { changes, stop } = await following(hub)
    expect(changes).toHaveLength(1)
    expect(changes[0]?.arrived).toHaveLength(450)
    expect(changes[0]?.arrived[0]?.run).toBe('nightly')
    stop()
  })

  it('reports each new and each settled request once', async () => {
    const { hub, put, tell } = fakeHub(request(1))
    const { arrived, left, pending, stop } = await following(hub)
    put(request(2))
    tell('request.created', 'req_2')
    await until(() => arrived().length === 2, 'the new one')
    put(request(1, { status: 'answered' }))
    tell('request.answered', 'req_1')
    await until(() => left().length === 1, 'the settled one')
    pending.reload()
    await sleep(50)
    expect([arrived(), left()]).toEqual([['req_1', 'req_2'], ['req_1']])
    stop()
  })

  it('reports a file that was added later', async () => {
    const { hub, put, tell } = fakeHub(request(1))
    const { changes, stop } = await following(hub)
    put(request(1, { attachments: [{ id: 'att_1', name: 'screen.png', type: 'image/png', size: 9, hash: 'h' }] }))
    tell('request.attached', 'req_1')
    const changed = () => changes.flatMap(({ changed = [] }) => changed.map(item => item.request.attachments.length))
    await until(() => changed().length > 0, 'the file')
    expect(changed()).toEqual([1])
    stop()
  })

  it('reports each reminder once, with the request as it is then', async () => {
    const { hub, put, tell } = fakeHub(request(1, { onTimeout: 'remind' }))
    const { changes, arrived, pending, stop } = await following(hub)
    const reminded = () => changes.flatMap(({ reminded = [] }) => reminded.map(item => item.request.remindAt))
    for (const remindAt of ['2026-01-01T00:02:00Z', '2026-01-01T00:04:00Z']) {
      put(request(1, { onTimeout: 'remind', remindAt }))
      tell('request.reminded', 'req_1')
      await until(() => reminded().includes(remindAt), 'the reminder')
      pending.reload()
    }
    await until(() => changes.length >= 4, 'the lists after the reminders')
    expect([arrived(), reminded()]).toEqual([['req_1'], ['2026-01-01T00:02:00Z', '2026-01-01T00:04:00Z']])
    stop()
  })

  it('finds changes between the first list and the first event it receives', async () => {
    const { hub, put } = fakeHub(request(1))
    const { arrived, left, stop } = await following(hub)
    put(request(1, { status: 'answered' }))
    put(request(2))
    await until(() => arrived().includes('req_2') && left().includes('req_1'), 'the second look')
    stop()
  })
})

describe('desktop notifications', () => {
  const text = notificationText({ agent: 'codex', title: 'a;b\x1b\x07?' })
  const xterm = { TERM: 'xterm-256color' }

  it('removes characters that could start or end an escape sequence from a notification', () => {
    expect(text).toBe('codex: ab?')
    expect(notificationText({ agent: 'codex', title: '가'.repeat(90) })).toMatch(/^codex: 가{46}…$/)
  })

  it.each([
    ['a dumb terminal', { TERM: 'dumb' }, ''],
    ['no terminal', {}, ''],
    ['xterm', xterm, '\x07'],
    ['iTerm2', { ...xterm, TERM_PROGRAM: 'iTerm.app' }, `\x07\x1b]9;${text}\x07`],
    ['iTerm2 over ssh', { ...xterm, LC_TERMINAL: 'iTerm2' }, `\x07\x1b]9;${text}\x07`],
    ['WezTerm', { ...xterm, TERM_PROGRAM: 'WezTerm' }, `\x07\x1b]9;${text}\x07`],
    ['Windows Terminal', { ...xterm, WT_SESSION: 'x' }, `\x07\x1b]9;${text}\x07`],
    ['kitty', { TERM: 'xterm-kitty' }, `\x07\x1b]9;${text}\x07`],
    ['rxvt', { TERM: 'rxvt-unicode-256color' }, `\x07\x1b]777;notify;Beckon;${text}\x07`],
    ['foot', { TERM: 'foot' }, `\x07\x1b]777;notify;Beckon;${text}\x07`],
    ['ghostty', { TERM: 'xterm-ghostty' }, `\x07\x1b]777;notify;Beckon;${text}\x07`],
    ['tmux', { TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TMUX: 's' }, '\x07'],
    [
      'tmux in kitty',
      { TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TMUX: 's', KITTY_WINDOW_ID: '1' },
      `\x07\x1bPtmux;\x1b\x1b]9;${text}\x07\x1b\\`,
    ],
    ['a tmux that does not say so', { TERM: 'screen', TMUX: 's', KITTY_WINDOW_ID: '1' }, '\x07'],
  ])('sends %s the notification sequence it supports', (_, env, sent) => {
    expect(notificationSequence(env, text)).toBe(sent)
  })
})

describe('the help', () => {
  it('names the same keys as the documentation, in the same order', () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/inbox.md'), 'utf8')
    const table = /\| key \| \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(text)?.[1] ?? ''
    const documented = Array.from(table.matchAll(/^\| (.*?) \|/gm), ([, names = '']) => names.replaceAll('`', ''))
    expect(keys.map(([names]) => names)).toEqual(documented)
  })
})

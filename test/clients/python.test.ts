import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HubApi, Request } from '../../src/protocol/index.ts'
import { databases, testKey } from '../setup/databases.ts'
import { type Fault, type Plan, startFaultyProxy } from './faulty-proxy.ts'
import { runPython, startPython } from './run-python.ts'
import { type ServedHub, serveHub } from './served-hub.ts'

let served: ServedHub
let ask: { url: string; token: string }
const proxies: { close(): void }[] = []

beforeAll(async () => {
  served = await serveHub()
  ask = { url: served.url, token: await served.token('ask') }
})
afterAll(async () => {
  for (const proxy of proxies) proxy.close()
  await served.close()
})

/** Between the client and the shared server. */
async function through(plan: Plan) {
  const proxy = await startFaultyProxy(served.url, plan)
  proxies.push(proxy)
  return { ...ask, url: proxy.url, calls: proxy.calls }
}

/** The first request whose text has this in it, as soon as it is asked. */
async function asked(text: string, { hub }: { hub: HubApi } = served): Promise<Request> {
  const stop = new AbortController()
  const ready = Promise.withResolvers<void>()
  const coming = hub.follow({ signal: stop.signal, onReady: () => ready.resolve() })[Symbol.asyncIterator]()
  const next = coming.next()
  try {
    for (let event = next; ; event = coming.next()) {
      await Promise.race([ready.promise, event])
      const { requests } = await hub.list({ search: text })
      if (requests[0]) return requests[0]
      await event
    }
  } finally {
    stop.abort()
  }
}

describe('asking', () => {
  it('returns the answer of a person, and confirms its delivery', async () => {
    const program = startPython(
      `outcome = hub.ask("Ship the parser?", options=["yes", {"label": "no", "description": "not yet"}], context="**now**")
      show(outcome.id, outcome.status, outcome.value, outcome.by, outcome.channel, outcome.note)`,
      ask,
    )
    const { id } = await asked('Ship the parser?')
    await served.hub.answer(id, { value: 'yes', note: 'go' })
    expect(JSON.parse(await program.line())).toEqual([id, 'answered', 'yes', 'ada', 'sdk', 'go'])
    const request = await served.hub.get(id)
    expect(request).toMatchObject({ agent: { name: 'script', cwd: '/' }, context: '**now**' })
    expect(request.deliveredAt).not.toBeNull()
  })

  it('takes several choices, several questions, text of their own, and files', async () => {
    const program = startPython(
      `show(hub.ask("Which checks?", options=["lint", "types", "tests"], multi_select=True).value)
      both = hub.ask([{"question": "Which branch?"}, {"id": "when", "question": "When?", "options": ["now", "later"]}])
      show(both.value, both.answers)
      show(hub.ask("Name of the layout?", options=["a", "b"], allow_other=True, attach=["/etc/hostname"]).value)`,
      ask,
    )
    await served.hub.answer((await asked('Which checks?')).id, { value: ['types', 'lint'] })
    expect(JSON.parse(await program.line())).toEqual(['lint', 'types'])
    await served.hub.answer((await asked('Which branch?')).id, {
      answers: [
        { id: 'q1', value: 'main' },
        { id: 'when', value: 'now' },
      ],
    })
    expect(JSON.parse(await program.line())).toMatchObject([
      null,
      [
        { id: 'q1', text: 'main' },
        { id: 'when', selected: ['now'] },
      ],
    ])
    const layout = await asked('Name of the layout?')
    expect(layout.attachments).toMatchObject([{ name: 'hostname' }])
    await served.hub.answer(layout.id, { text: 'neither' })
    expect(JSON.parse(await program.line())).toBe('neither')
  })

  it('keeps declined, skipped, defaulted and expired apart', async () => {
    const program = startPython(
      `from datetime import timedelta
      for question in ("Decline me?", "Skip me?"):
          outcome = hub.ask(question, required=False)
          show(outcome.status, outcome.value, outcome.reason)
      outcome = hub.ask("Default me?", options=["a", "b"], default="b", required=False, timeout=0.05)
      show(outcome.status, outcome.value, outcome.channel)
      outcome = hub.ask("Let me expire?", timeout=timedelta(milliseconds=50), on_timeout="fail")
      show(outcome.status, outcome.value)`,
      ask,
    )
    await served.hub.decline((await asked('Decline me?')).id, { reason: 'not on a Friday' })
    expect(JSON.parse(await program.line())).toEqual(['declined', null, 'not on a Friday'])
    await served.hub.skip((await asked('Skip me?')).id)
    expect(JSON.parse(await program.line())).toEqual(['skipped', null, null])
    expect(JSON.parse(await program.line())).toEqual(['defaulted', 'b', 'policy'])
    expect(JSON.parse(await program.line())).toEqual(['expired', null])
  })

  it('says when nobody answered in time, leaves the request open, and takes the answer later', async () => {
    const program = startPython(
      `import sys
      try:
          hub.ask("Still there?", wait="200ms")
      except TimeoutError as error:
          show(error.code, str(error), error.id)
          show(hub.wait(error.id).value)`,
      ask,
    )
    const [code, message, id] = JSON.parse(await program.line())
    expect(code).toBe('still_pending')
    expect(message).toBe(`Nobody answered ${id} within 0.2 seconds. It stays open; wait for it again by its id.`)
    await served.hub.answer(id, { value: 'I am' })
    expect(JSON.parse(await program.line())).toBe('I am')
    expect((await served.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('gets its question and answer back after kill -9', async () => {
    const program = `outcome = hub.ask("Survive a crash?")\nshow(outcome.id, outcome.value)`
    const first = startPython(program, ask)
    const { id } = await asked('Survive a crash?')
    first.child.kill('SIGKILL')
    await first.result
    await served.hub.answer(id, { value: 'yes' })
    expect(await runPython(program, ask)).toEqual([[id, 'yes']])
  })

  it('hears what a person asks back, and replies', async () => {
    const program = startPython(
      `def on_message(message, reply): reply("You wrote: " + message["text"])
      show(hub.ask("Drop the table?", options=["yes", "no"], on_message=on_message).value)`,
      ask,
    )
    const { id } = await asked('Drop the table?')
    const said = async () => (await served.hub.get(id)).messages.map(({ from, text }) => [from, text])
    await served.hub.messages.send(id, { text: 'which one?' })
    await expect.poll(said).toEqual([
      ['person', 'which one?'],
      ['agent', 'You wrote: which one?'],
    ])
    await served.hub.answer(id, { value: 'no' })
    expect(JSON.parse(await program.line())).toBe('no')
  })

  it('asks from many threads at once', async () => {
    const program = startPython(
      `from concurrent.futures import ThreadPoolExecutor
      with ThreadPoolExecutor(16) as pool:
          show(list(pool.map(lambda n: hub.ask(f"Thread {n}?").value, range(16))))`,
      ask,
    )
    for (let n = 0; n < 16; n += 1) await served.hub.answer((await asked(`Thread ${n}?`)).id, { value: `answer ${n}` })
    expect(JSON.parse(await program.line())).toEqual(Array.from({ length: 16 }, (_, n) => `answer ${n}`))
  })
})

describe('approving and needing', () => {
  it('spends a yes once, and says what a person approved instead', async () => {
    const program = startPython(
      `import sys
      for command in ("git push --force", ["git", "stash", "drop"], "git clean -fd"):
          approval = hub.approve(command, cwd="/work", context="because")
          show(bool(approval), approval.command, approval.cwd, approval.is_edited, approval.reason)
          if approval:
              try: hub.use(approval.id)
              except BeckonError as error: show(error.code)`,
      ask,
    )
    const first = await asked('git push --force')
    await served.hub.answer(first.id, { value: 'yes' })
    expect(JSON.parse(await program.line())).toEqual([true, 'git push --force', '/work', false, null])
    expect(JSON.parse(await program.line())).toBe('used')
    await served.hub.answer((await asked('git stash drop')).id, { value: 'yes', edited: 'git stash list' })
    expect(JSON.parse(await program.line())).toEqual([true, 'git stash list', '/work', true, null])
    expect(JSON.parse(await program.line())).toBe('used')
    await served.hub.answer((await asked('git clean -fd')).id, { value: 'no', text: 'too early' })
    expect(JSON.parse(await program.line())).toEqual([false, 'git clean -fd', '/work', false, 'too early'])
    expect((await served.hub.get(first.id)).usedAt).not.toBeNull()
  })

  it('takes a secret once, and never shows it', async () => {
    const program = startPython(
      `provided = hub.need("api_key", "STRIPE_KEY", "to charge a card")
      show(bool(provided), provided.value, provided.value in repr(provided))
      show(bool(hub.need("env_variable", "REGION", "where to deploy", required=False)))`,
      ask,
    )
    const { id } = await asked('STRIPE_KEY')
    await served.hub.answer(id, { value: 'sk_test_0123456789' })
    expect(JSON.parse(await program.line())).toEqual([true, 'sk_test_0123456789', false])
    await served.hub.decline((await asked('REGION')).id, { reason: 'use the default' })
    expect(JSON.parse(await program.line())).toBe(false)
    const { usedAt, deliveredAt } = await served.hub.get(id)
    expect([usedAt, deliveredAt]).not.toContain(null)
  })
})

describe('answering and following', () => {
  it('settles for a person: the first answer wins, and the same again is a replay', async () => {
    const { id } = await served.hub.raise({ questions: [{ question: 'Who wins?', options: ['a', 'b'] }] })
    const program = `import sys
      for value in ("a", "a", "b"):
          settled = hub.answer("${id}", value, by="mina")
          show(settled.won, settled.replay, settled.request["outcome"]["answers"][0]["selected"])
      show([request["id"] for request in hub.requests("answered") if request["id"] == "${id}"])
      try: hub.answer("${id}x", "a")
      except BeckonError as error: show(error.code)`
    expect(await runPython(program, { ...ask, token: await served.token('answer') })).toEqual([
      [true, false, ['a']],
      [false, true, ['a']],
      [false, false, ['a']],
      [id],
      'not_found',
    ])
  })

  it('reads every page of a list', async () => {
    const text = 'One of many?'
    for (let n = 0; n < 120; n += 1) await served.hub.raise({ questions: [{ question: `${text} ${n}` }] })
    const program = `show(sum(request["questions"][0]["question"].startswith("${text}") for request in hub.requests()))`
    expect(await runPython(program, { ...ask, token: await served.token('answer') })).toEqual([120])
  })
})

describe('exactly once', () => {
  it.each(databases)(
    'asks once, answers once and spends once where every first reply is lost ($name)',
    async database => {
      const own = await serveHub({ BECKON_DB: await database.prepared(), BECKON_KEY: testKey })
      const proxy = await startFaultyProxy(own.url, (_, __, nth) => (nth === 0 ? 'lose' : null))
      try {
        const program = startPython(
          `show(hub.ask("Lost question?").value)
        show(hub.approve("git stash drop", cwd="/work").status)
        show(hub.need("api_key", "LOST_KEY", "for a test").value)`,
          { url: proxy.url, token: await own.token('ask') },
        )
        await own.hub.answer((await asked('Lost question?', own)).id, { value: 'found' })
        expect(JSON.parse(await program.line())).toBe('found')
        await own.hub.answer((await asked('git stash drop', own)).id, { value: 'yes' })
        expect(JSON.parse(await program.line())).toBe('answered')
        await own.hub.answer((await asked('LOST_KEY', own)).id, { value: 'sk_test_0123456789' })
        expect(JSON.parse(await program.line())).toBe('sk_test_0123456789')
        expect((await program.result).code).toBe(0)
        const types = (await own.hub.events()).map(({ type }) => type)
        const count = (type: string) => types.filter(one => one === type).length
        expect([count('request.created'), count('request.delivered'), count('request.used')]).toEqual([3, 3, 2])
        expect(proxy.calls.filter(call => call === 'POST /api/requests')).toHaveLength(4)
      } finally {
        proxy.close()
        await own.close()
      }
    },
  )

  it('waits, and follows, across kill -9 of the server, and misses nothing that happened meanwhile', async () => {
    const own = await serveHub()
    try {
      const settings = { url: own.url, token: await own.token('ask') }
      const follower = startPython(
        `for event in hub.follow(on_ready=lambda cursor: show("ready")): show(event["id"], event["type"])`,
        settings,
      )
      expect(JSON.parse(await follower.line())).toBe('ready')
      const program = startPython(`show(hub.ask("Still the same?", wait="10m").value)`, settings)
      const { id } = await asked('Still the same?', own)
      expect(JSON.parse(await follower.line())).toEqual([expect.any(Number), 'request.created'])
      await own.kill()
      await own.hub.answer(id, { value: 'yes' })
      await own.start()
      expect(JSON.parse(await program.line())).toBe('yes')
      expect(JSON.parse(await follower.line())).toEqual([expect.any(Number), 'request.answered'])
      expect(JSON.parse(await follower.line())).toEqual([expect.any(Number), 'request.delivered'])
      follower.child.kill()
      const ofRequest = (await own.hub.events()).filter(({ request }) => request === id).map(({ type }) => type)
      expect(ofRequest).toEqual(['request.created', 'request.answered', 'request.delivered'])
    } finally {
      await own.close()
    }
  })

  it('an approval with a key is the same approval after a restart of the program', async () => {
    const program = `approval = hub.approve("rm -rf build", cwd="/work", key="release-7")\nshow(approval.id, bool(approval))`
    const first = startPython(program, ask)
    const { id } = await asked('rm -rf build')
    first.child.kill('SIGKILL')
    await first.result
    await served.hub.answer(id, { value: 'yes' })
    expect(await runPython(program, ask)).toEqual([[id, true]])
    await expect(runPython(program, ask)).rejects.toThrow(/used/)
  })
})

it('takes up an open approval for exactly this action where it says so', async () => {
  const [[first, again, other]] = (await runPython(
    `def asked(**more): return hub.raise_({"kind": "approval", "action": {"command": "git clean -fd", "cwd": "/work"}, **more})["id"]
    show(asked(takeUp=True), asked(takeUp=True), asked())`,
    ask,
  )) as [string[]]
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

describe('trouble on the way', () => {
  /** Instead of waiting, the pauses are shown. */
  const recordPauses = `import beckon
      pauses = []
      beckon.time.sleep = lambda seconds: pauses.append(seconds)`

  it('comes back no sooner than Retry-After says, and not at the same moment as others', async () => {
    const slow: Fault = { status: 429, headers: { 'retry-after': '3' } }
    const proxy = await through((_, __, nth) => (nth < 3 ? slow : null))
    const [pauses] = (await runPython(
      `${recordPauses}
      hub.raise_({"questions": [{"question": "Too fast?"}]})
      show(pauses)`,
      proxy,
    )) as [number[]]
    expect(pauses).toHaveLength(3)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(3)
    expect(new Set(pauses).size).toBe(3)
    expect((await served.hub.list({ search: 'Too fast?' })).requests).toHaveLength(1)
  })

  it('waits longer each time while a gateway says that the hub is away', async () => {
    const proxy = await through((_, path, nth) =>
      path.endsWith('ID') && nth < 6 ? { status: 502, body: '<h1>' } : null,
    )
    const program = startPython(
      `${recordPauses}
      show(hub.ask("Behind a gateway?").value)
      show(pauses)`,
      proxy,
    )
    await served.hub.answer((await asked('Behind a gateway?')).id, { value: 'yes' })
    expect(JSON.parse(await program.line())).toBe('yes')
    const pauses = JSON.parse(await program.line()) as number[]
    expect(pauses).toHaveLength(6)
    for (const [n, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(0.05 * 2 ** n)
      expect(pause).toBeLessThanOrEqual(0.1 * 2 ** n)
    }
  })

  it.each<[string, Fault, string, RegExp]>([
    ['a server that does not reply', 'hang', 'unreachable', /did not reply within 0.1 seconds/],
    ['a page that is not a hub', { status: 200, body: '<h1>Welcome</h1>' }, 'unreachable', /did not answer in JSON/],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'unreachable', /status 302/],
    ['a proxy that refuses', { status: 403, body: 'Forbidden' }, 'not_allowed', /status 403/],
  ])('says plainly that it met %s', async (_, fault, code, message) => {
    const proxy = await through(() => fault)
    const program = `import beckon
      beckon._REPLY_TIMEOUT = 0.1
      hub = Hub(agent="script", retry_for=0)
      try: hub.get("req_x")
      except BeckonError as error: show(error.code, str(error))`
    const [[said, text]] = (await runPython(program, proxy)) as [[string, string]]
    expect([said, text]).toEqual([code, expect.stringMatching(message)])
    expect(proxy.calls).toHaveLength(1)
  })

  it('says what is wrong with its settings and its input', async () => {
    const program = `import os
      def said(work):
          try: work()
          except BeckonError as error: show(error.code, str(error))
      said(lambda: hub.ask(""))
      said(lambda: hub.ask("When?", wait="soon"))
      said(lambda: hub.ask([{"question": "A?"}], options=["a"]))
      said(lambda: Hub(token="beckon_ask_wrong").get("req_x"))
      said(lambda: Hub("beckon.example.com"))
      said(lambda: Hub("http://127.0.0.1:9", retry_for=0).get("req_x"))
      del os.environ["BECKON_TOKEN"]
      said(lambda: Hub())`
    expect(await runPython(program, ask)).toEqual([
      ['invalid', expect.stringContaining('questions[0].question')],
      ['invalid', '"soon" is not a duration; write 90s, 15m, 1h30m or 2d.'],
      ['invalid', 'With several questions, give options in each of them.'],
      ['unauthenticated', 'The token is unknown, has expired or was revoked.'],
      ['invalid', 'BECKON_URL must be an address like https://beckon.example.com.'],
      ['unreachable', expect.stringMatching(/^The hub at http:\/\/127.0.0.1:9 cannot be reached .*refused/)],
      ['invalid', 'Set BECKON_TOKEN: beckon token create --scope ask prints one.'],
    ])
  })
})

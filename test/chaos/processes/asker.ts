import { setTimeout as sleep } from 'node:timers/promises'
import { questionOf, textOf } from '../wording.ts'
import { type Reply, runWorker } from './run-worker.ts'

// Asks over HTTP, on whichever node replies, and takes the outcomes; after a kill it comes back to its open questions by
// their keys. Every few questions it asks for an approval, and spends the yes twice at the same time.
await runWorker(async ({ options, random, record, earlier, call, over }) => {
  const settled = new Set(earlier.flatMap(entry => (entry.it === 'delivered' ? [entry.id] : [])))
  const idOf = new Map(earlier.flatMap(entry => (entry.it === 'asked' ? [[entry.key, entry.id]] : [])))
  const open = earlier.flatMap(entry =>
    entry.it === 'asks' && !settled.has(idOf.get(entry.key) ?? '') ? [entry.key] : [],
  )
  let number = 0
  await Promise.all(Array.from({ length: 3 }, askRepeatedly))

  async function askRepeatedly() {
    for (;;) {
      const again = open.shift()
      if (again !== undefined) await ask(again)
      else if (over.aborted) return
      else if (random.chance(0.2)) await approve()
      else await askAnew()
      await sleep(random.below(250))
    }
  }

  async function askAnew() {
    number += 1
    const key = `${options.name} ${options.start}.${number}`
    record({ it: 'asks', key })
    await ask(key)
  }

  async function ask(key: string) {
    const { status, body } = await call('POST', '/api/requests', { key, questions: [{ question: questionOf(key) }] })
    if (status !== 200 && status !== 201) return refused('ask', body)
    const id = String(body.id)
    record({ it: 'asked', key, id })
    const outcome = await wait(id)
    if (outcome === null) return
    const question = (outcome.questions as { question: string }[])[0]?.question ?? ''
    take(outcome, question)
    const taken = await call('PUT', `/api/requests/${id}/delivery`, {})
    if (taken.status !== 200) return refused('delivery', taken.body)
    record({ it: 'delivered', id })
  }

  /** An approval never joins an earlier one: when the reply is lost, another one is asked for. */
  async function approve() {
    number += 1
    const command = `git push origin ${options.name}-${options.start}-${number}`
    const { status, body } = await call('POST', '/api/requests', {
      kind: 'approval',
      action: { command, cwd: '/work' },
    })
    if (status !== 201) return refused('approve', body)
    const id = String(body.id)
    record({ it: 'asked for', command, id })
    const outcome = await wait(id)
    if (outcome === null) return
    take(outcome, String((outcome.action as { command?: string }).command))
    if (outcome.status === 'answered') await Promise.all([use(id, 'first'), use(id, 'second')])
  }

  async function use(id: string, which: string) {
    const nonce = `${which} of ${options.name} ${options.start}`
    const { status, body } = await call('POST', `/api/requests/${id}/value`, { nonce })
    if (status === 200) return record({ it: 'used', id, nonce })
    if (status !== 409) refused('use', body)
  }

  /** Waits in short calls, so that a killed node is soon replaced by another. Null if the hub does not know it. */
  async function wait(id: string): Promise<Reply['body'] | null> {
    for (;;) {
      const { status, body } = await call('GET', `/api/requests/${id}?wait=5`, undefined, 13)
      if (status !== 200) {
        refused(`wait for ${id}`, body)
        return null
      }
      if (body.status !== 'pending') return body
    }
  }

  function take(body: Reply['body'], about: string) {
    record({ it: 'got', id: String(body.id), about, status: String(body.status), text: textOf(body.outcome) })
  }

  function refused(call: string, body: unknown) {
    record({ it: 'was refused', call, reply: JSON.stringify(body).slice(0, 300) })
  }
})

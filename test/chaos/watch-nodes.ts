import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosEntry } from './journal.ts'
import type { Node } from './nodes.ts'
import { questionOf } from './wording.ts'

// A node that was left alone for so long serves, whatever became of its connections before.
const longestOutage = 60_000
const checkEvery = 2_000

export interface Watch {
  /** Asks something of this one node, so it has to write. */
  serves(node: Node): Promise<boolean>
  stop(): void
  /** What was acknowledged to the watch itself. */
  journal: ChaosEntry[]
}

/** Asks each node something now and then, and reports one that does not come back by itself: it is then killed. */
export function watchNodes(nodes: readonly Node[], token: string, report: (violation: string) => void): Watch {
  const journal: ChaosEntry[] = []
  const lastServed = new Map<Node, number>()
  let number = 0
  let over = false
  for (const node of nodes) watch(node)
  return {
    serves,
    stop() {
      over = true
    },
    journal,
  }

  async function watch(node: Node) {
    while (!over) {
      await check(node)
      await sleep(checkEvery)
    }
  }

  async function check(node: Node) {
    if (await serves(node)) return
    const since = Math.max(node.since, lastServed.get(node) ?? 0)
    if (performance.now() - since < longestOutage) return
    report(`${node.name} did not serve for ${Math.round((performance.now() - since) / 1_000)} s`)
    await node.kill()
  }

  async function serves(node: Node): Promise<boolean> {
    number += 1
    const key = `watch ${number}`
    try {
      const response = await fetch(`http://127.0.0.1:${node.port}/api/requests`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ key, questions: [{ question: questionOf(key) }] }),
        signal: AbortSignal.timeout(5_000),
      })
      const { id } = (await response.json()) as { id: string }
      if (response.status !== 201) return false
      journal.push({ it: 'asked', key, id })
      lastServed.set(node, performance.now())
      return true
    } catch {
      return false
    }
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatStore, ChatTarget } from '../hub/chat.ts'
import type { ChatLog } from './log.ts'

/** One bot, with every target that is written to through it. */
export interface Bot {
  id: string
  targets: ChatTarget[]
}

/** Listens to a bot until the signal. */
export type Listen = (bot: Bot, signal: AbortSignal) => Promise<void>

interface Options {
  chat: ChatStore
  /** Null for a bot that nobody needs to listen to. */
  listenTo: (bot: Bot) => Listen | null
  log: ChatLog
  timing?: { look: number; lease: number }
}

export interface Listeners {
  close(): Promise<void>
}

// Another server takes over so long after one died.
const usualTiming = { look: 2_000, lease: 15_000 }

/**
 * Listens to the bots, each on one server at a time: two that read the same bot would take each other's updates. The
 * lease is renewed long before it ends; a server that could not renew it stops listening.
 */
export function startListeners({ chat, listenTo, log, timing = usualTiming }: Options): Listeners {
  const holder = randomUUID()
  const closing = new AbortController()
  const running = new Map<string, { stop: AbortController; done: Promise<void>; targets: string }>()
  const working = work()
  return {
    async close() {
      closing.abort()
      await working
      await Promise.all([...running].map(([id]) => stop(id)))
    },
  }

  async function work() {
    while (!closing.signal.aborted) {
      try {
        await look()
      } catch (error) {
        // Somebody else may have the lease by the time that the database is back.
        await Promise.all([...running.keys()].map(id => stop(id).catch(() => {})))
        if (!closing.signal.aborted) log.warn({ error }, 'cannot listen to chats at the moment')
      }
      await sleep(timing.look, null, { signal: closing.signal }).catch(() => {})
    }
  }

  async function look() {
    const bots = botsOf(await chat.targets())
    for (const id of running.keys()) if (!bots.some(bot => bot.id === id)) await stop(id)
    for (const bot of bots) {
      const listen = listenTo(bot)
      if (!listen || closing.signal.aborted) continue
      const isOurs = await chat.listen(bot.id, holder, timing.lease)
      const targets = bot.targets.map(({ id }) => id).join()
      const present = running.get(bot.id)
      if (present && (!isOurs || present.targets !== targets)) await abort(bot.id)
      if (isOurs && !running.has(bot.id)) start(bot, listen, targets)
    }
  }

  function start(bot: Bot, listen: Listen, targets: string) {
    const stopping = new AbortController()
    const done = listen(bot, stopping.signal).catch(error => {
      if (!stopping.signal.aborted)
        log.warn({ error, target: bot.targets[0]?.target.name }, 'stopped listening to a chat')
      running.delete(bot.id)
    })
    running.set(bot.id, { stop: stopping, done, targets })
  }

  async function stop(id: string) {
    await abort(id)
    await chat.stopListening(id, holder)
  }

  async function abort(id: string) {
    const present = running.get(id)
    running.delete(id)
    present?.stop.abort()
    await present?.done
  }
}

function botsOf(targets: readonly ChatTarget[]): Bot[] {
  return [...Map.groupBy(targets, ({ bot }) => bot)].map(([id, targets]) => ({ id, targets }))
}

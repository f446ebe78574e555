import type { ChatStore, ChatTarget, LeasedPress } from '../hub/chat.ts'
import type { HubApi } from '../protocol/index.ts'
import { dealWithPress, type PressResult } from './deal-with-press.ts'
import type { ChatLog } from './log.ts'

/** Tells the person who pressed what became of it, in the chat. */
type Reply = (target: ChatTarget, press: LeasedPress, result: PressResult) => Promise<void>

export interface Presses {
  /** Deals with what was pressed, now. */
  checkNow(): void
  close(): Promise<void>
}

interface Options {
  hub: Pick<HubApi, 'get' | 'answer'>
  chat: ChatStore
  reply: Reply
  log: ChatLog
  /** Milliseconds between two looks for presses that a server left behind. */
  look?: number
}

const atOnce = 10

/** Deals with every press that is stored, until it is closed. Any number of servers may share a database. */
export function startPresses({ hub, chat, reply, log, look = 5_000 }: Options): Presses {
  const inProgress = new Set<Promise<void>>()
  let isClosed = false
  let wakeUp = Promise.withResolvers<void>()
  const working = work()
  return {
    checkNow: () => wakeUp.resolve(),
    async close() {
      isClosed = true
      wakeUp.resolve()
      await working
    },
  }

  async function work() {
    while (!isClosed) {
      const timer = setTimeout(() => wakeUp.resolve(), look)
      timer.unref()
      await wakeUp.promise
      clearTimeout(timer)
      wakeUp = Promise.withResolvers<void>()
      try {
        if (!isClosed) await takeSome()
      } catch (error) {
        log.warn({ error }, 'cannot deal with presses of buttons at the moment')
      }
    }
    await Promise.all(inProgress)
  }

  /** Does not wait for them: a chat that is slow to take its reply delays no other answer. */
  async function takeSome(): Promise<void> {
    const free = atOnce - inProgress.size
    const presses = free > 0 ? await chat.leasePresses(free) : []
    const targets = presses.length > 0 ? await chat.targets() : []
    for (const press of presses) {
      const dealing = dealWith(press, targets).finally(() => {
        if (inProgress.size === atOnce) wakeUp.resolve()
        inProgress.delete(dealing)
      })
      inProgress.add(dealing)
    }
  }

  /** What fails here is tried again when the lease ends. */
  async function dealWith(press: LeasedPress, targets: readonly ChatTarget[]) {
    const target = targets.find(({ id }) => id === press.target)
    try {
      if (!target) return void (await chat.finishPress(press, 'no target'))
      const { bot, target: open } = target
      const context = { hub, chat, bot, target: open.name, channel: open.kind }
      const result = await dealWithPress(press, context)
      await reply(target, press, result).catch(error =>
        log.warn(
          { target: open.name, finding: String(error) },
          'a person who pressed a button was not told the result',
        ),
      )
      await chat.finishPress(press, result.result)
      log.info({ target: open.name, result: result.result }, 'a button was pressed')
    } catch (error) {
      log.warn({ error, target: target?.target.name }, 'a press of a button was not dealt with; trying again')
    }
  }
}

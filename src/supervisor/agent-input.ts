import type { BlockRequests } from './block-requests.ts'
import type { Watcher } from './block-watcher.ts'
import type { AgentInput } from './context.ts'
import type { HolderLink } from './holder/connect.ts'
import type { Recorder } from './output-recorder.ts'
import type { RunProcesses } from './processes/run-processes.ts'

interface Parts {
  link: HolderLink
  requests: Pick<BlockRequests, 'isOpen'>
  watcher: Pick<Watcher, 'isInside'>
  recorder: Pick<Recorder, 'drained'>
  processes: Pick<RunProcesses, 'isPaused'>
}

/**
 * What a person types to the agent. The holder keeps it until the agent waits for input; here it is decided whether the
 * agent waits for that, or for the answer to something that it asked.
 */
export function createAgentInput({ link, requests, watcher, recorder, processes }: Parts) {
  let deciding = false
  const input: AgentInput = {
    type: link.type,
    pipe: link.pipe,
    end: link.endInput,
    // A terminal that does not turn it into a signal would keep it for the agent to read.
    press: keys => requests.isOpen() || link.press(keys),
    takeBack: async () => Buffer.from(await link.takeBack()),
    resize: link.resize,
  }
  return { ...input, onWaits }

  /** Everything that the agent printed before this offset has come before this call. */
  async function onWaits(offset: number) {
    if (deciding) return
    deciding = true
    try {
      await recorder.drained()
      if (!requests.isOpen() && !watcher.isInside() && !processes.isPaused()) link.pass(offset)
    } catch {
      // The supervision ends with that error.
    } finally {
      deciding = false
    }
  }
}

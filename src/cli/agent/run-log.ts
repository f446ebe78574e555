import type { AgentEvent } from '../../agent/events.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { titleOf } from '../../rules/title.ts'
import { runFolder } from '../../supervisor/folder.ts'
import { describeReply } from '../../supervisor/log/describe-reply.ts'
import { shipLog } from '../../supervisor/log/ship.ts'
import { openLogWriter } from '../../supervisor/log/writer.ts'
import { createQueue } from '../../supervisor/queue.ts'
import { usedSecrets } from '../../supervisor/requests-of-run.ts'
import { describeImages } from './describe-images.ts'
import { describeInstructions } from './describe-instructions.ts'
import { describeServer } from './describe-server.ts'

export interface RunLogOptions {
  hub: HubApi
  home: string
  run: string
  /** Whether people read the hub on other machines. */
  shipsLogs: boolean
}

/** What `beckon runs logs` prints for the built-in agent. */
export interface RunLog {
  /** What the person wrote. */
  heard(text: string): void
  take(event: AgentEvent): void
  /** Not final where the run sleeps: its next process continues the log. */
  close(options: { final: boolean }): Promise<void>
}

/** Writes a conversation into the log of its run, in plain lines, with the secrets that its commands opened redacted. */
export function openRunLog(options: RunLogOptions): Promise<RunLog> {
  // The agent works without a log where the disk is full.
  return open(options).catch(() => ({ heard() {}, take() {}, async close() {} }))
}

async function open({ hub, home, run, shipsLogs }: RunLogOptions): Promise<RunLog> {
  const { log: folder } = runFolder(home, run)
  const log = await openLogWriter(folder)
  const shipping = shipsLogs ? shipLog({ hub, run, folder }) : null
  const queue = createQueue(write, () => {})
  return {
    heard(text) {
      if (text.trim() !== '') queue.push({ lines: marked('> ', text) })
    },
    take: event => queue.push({ lines: linesOf(event), mayHoldSecrets: event.type === 'result' }),
    async close({ final }) {
      await queue.idle()
      await log.close({ final })
      await shipping?.finish()
    },
  }

  async function write({ lines, mayHoldSecrets = false }: { lines: readonly string[]; mayHoldSecrets?: boolean }) {
    if (lines.length === 0) return
    // A command has opened its secrets before it ends. Without knowing them, its output is not recorded.
    const known = mayHoldSecrets ? await usedSecrets(hub, run).catch(() => null) : []
    for (const secret of known ?? []) log.addSecret(secret)
    const recorded = known === null ? ['  (not recorded: the hub cannot be reached)'] : lines
    log.write('out', Buffer.from(`${recorded.join('\n')}\n`))
  }
}

function linesOf(event: AgentEvent): string[] {
  const who = event.path.length > 1 ? `${event.path.slice(1).join(' > ')}: ` : ''
  switch (event.type) {
    case 'reply':
      return event.text.trim() === '' ? [] : marked(who, event.text.trim())
    case 'call':
      return marked('* ', `${who}${event.tool} ${event.title}`)
    case 'result':
      return marked('  ', event.failed ? `Failed: ${event.output.trim()}` : event.output.trim())
    case 'asked':
      return marked('? ', `${who}${titleOf(event.request)} (${event.request.id})`)
    case 'settled':
      return [describeReply(event.request)]
    case 'askedBack':
      return event.messages.flatMap(({ by, text }) => marked('< ', `${by} asks back: ${text}`))
    case 'retry':
      return [`(the model does not answer: ${event.why}; retrying)`]
    case 'compacted':
      return ['(the conversation was summarised)']
    case 'server':
      return [`(${describeServer(event)})`]
    case 'images':
      return describeImages(event.images).map(line => `(${line})`)
    case 'planning':
      return [event.on ? '(plan mode: nothing is changed before a plan is approved)' : '(plan mode is over)']
    case 'instructions':
      return describeInstructions(event).map(line => `(${line})`)
    case 'rewound':
      return [`(rewound; ${event.restored.length + event.removed.length} files were restored)`]
    case 'text':
    case 'output':
    case 'context':
    case 'compacting':
      return []
  }
}

/** The first line with its mark, the others below it. */
function marked(mark: string, text: string): string[] {
  return text.split('\n').map((line, i) => `${i === 0 ? mark : ' '.repeat(mark.length)}${line}`)
}

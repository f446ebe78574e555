import { type Call, trackCalls } from './calls.ts'
import { type Door, type DoorOptions, openDoor, type Reply } from './door.ts'
import { answerPermissions, changedCommand } from './permissions.ts'
import { answerQuestions } from './questions.ts'
import { type Opencode, opencodeApi, type PluginInput } from './server.ts'

// Beckon for opencode, which loads this file itself: it needs no package, and imports nothing but Node's own modules.
//
// A command passes three places before it runs. `tool.execute.before` lets the guard judge it. Where a person must see it,
// the call waits there for the inbox; but where opencode is going to show its own dialog, dialog and inbox race. Then
// `shell.env`, the last thing before the command starts, lets nothing pass that is dangerous and not approved.
//
// Whatever fails here throws, and opencode then does not run the command.

export default { id: 'beckon', server: beckonPlugin }

interface CallName {
  readonly tool: string
  readonly sessionID: string
  readonly callID: string
}

async function beckonPlugin(input: PluginInput, options: DoorOptions) {
  const door = openDoor(options, input.directory)
  const opencode = opencodeApi(input)
  const calls = trackCalls()
  const answering = [answerPermissions(door, opencode, calls), answerQuestions(door, opencode)]
  const isNewest = replaceOlder(input.directory)
  return {
    async 'tool.execute.before'({ tool, sessionID, callID }: CallName, output: { args: Record<string, unknown> }) {
      if (!isNewest()) return
      const call = calls.begin({ session: sessionID, id: callID, tool, input: output.args })
      if (tool === 'bash') await judge(door, opencode, call, output)
    },
    async 'shell.env'({ sessionID, callID }: Partial<CallName>, { env }: { env: Record<string, string> }) {
      if (!isNewest() || sessionID === undefined) return
      await stopUnapproved(door, opencode, calls.find(sessionID, callID))
      // What the command asks reaches the same hub, and says whose it is.
      Object.assign(env, process.env.BECKON_RUN ? {} : options.env, { OPENCODE_SESSION_ID: sessionID })
    },
    async event({ event }: { event: Event }) {
      if (!isNewest()) return
      for (const { follow } of answering) follow(event.type, event.properties)
      for (const over of calls.endedBy(event.type, event.properties)) door.withdraw(over)
    },
    async dispose() {
      door.withdraw({})
    },
  }
}

interface Event {
  readonly type: string
  readonly properties: Record<string, unknown>
}

/** The guard allows it, refuses it, or wants a person to see it first. */
async function judge(door: Door, opencode: Opencode, call: Call, output: { args: Record<string, unknown> }) {
  const verdict = await door.judge(call)
  if (verdict.decision === 'allow') return
  if (verdict.decision !== 'ask') throw new Error(reasonOf(verdict))
  call.state = 'dangerous'
  if (await opencode.showsDialogs('bash')) return
  const { input } = await askAbout(door, opencode, call)
  if (input) Object.assign(output.args, input)
}

/** A dialog may not have been shown after all, or may have been answered by a setting instead of a person. */
async function stopUnapproved(door: Door, opencode: Opencode, call: Call | undefined) {
  if (call?.state !== 'dangerous') return
  const { input } = await askAbout(door, opencode, call)
  // The command is on its way: here it can be stopped, and not changed.
  if (input) throw new Error(changedCommand(input))
}

async function askAbout(door: Door, opencode: Opencode, call: Call): Promise<Reply> {
  void opencode.toast('Beckon asks a person about this command. Answer it in the inbox: beckon inbox')
  const reply = await door.ask(call)
  if (reply.decision !== 'allow') throw new Error(reasonOf(reply))
  call.state = 'approved'
  return reply
}

function reasonOf({ reason }: Reply): string {
  return reason ?? 'Beckon did not allow it. It was not run.'
}

/** opencode may find this plugin in two places, and asks every one: only the one that was loaded last answers. */
function replaceOlder(directory: string): () => boolean {
  const key = Symbol.for('beckon.opencode')
  const shared = globalThis as { [key]?: Map<string, symbol> }
  const newest = shared[key] ?? new Map<string, symbol>()
  shared[key] = newest
  const self = Symbol('plugin')
  newest.set(directory, self)
  return () => newest.get(directory) === self
}

import { Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { type Audience, enforceAudience } from './audience.ts'
import { registerAgent, registerChat, registerReset } from './commands/agent.ts'
import { registerAnswer } from './commands/answer.ts'
import { registerApprove } from './commands/approve.ts'
import { registerAsk } from './commands/ask.ts'
import { registerAskpass } from './commands/askpass.ts'
import { registerBackup } from './commands/backup.ts'
import { registerCallbackSecret } from './commands/callback-secret.ts'
import { registerCancel } from './commands/cancel.ts'
import { registerCompletedIds, registerCompletion } from './commands/completion.ts'
import { registerDecline } from './commands/decline.ts'
import { registerDoctor } from './commands/doctor.ts'
import { registerEvents } from './commands/events.ts'
import { registerGc } from './commands/gc.ts'
import { registerGuard } from './commands/guard.ts'
import { registerHelp } from './commands/help.ts'
import { registerHook } from './commands/hook.ts'
import { registerInbox } from './commands/inbox.ts'
import { registerKept } from './commands/kept.ts'
import { registerList } from './commands/list.ts'
import { registerMcp } from './commands/mcp.ts'
import { registerNeed } from './commands/need.ts'
import { registerNotify } from './commands/notify.ts'
import { registerReply } from './commands/reply.ts'
import { registerRestore } from './commands/restore.ts'
import { registerRestoreDatabase } from './commands/restore-database.ts'
import { registerRules } from './commands/rules.ts'
import { registerRun } from './commands/run.ts'
import { registerRuns } from './commands/runs.ts'
import { registerServe } from './commands/serve.ts'
import { registerSetup } from './commands/setup.ts'
import { registerShow } from './commands/show.ts'
import { registerSkip } from './commands/skip.ts'
import { registerToken } from './commands/token.ts'
import { registerWait } from './commands/wait.ts'
import type { Context } from './context.ts'
import { refuseInvalidUtf8 } from './refuse-invalid-utf8.ts'

export interface CommandEntry {
  name: string
  register: (program: Command, context: Context) => void
  audience: Audience
  /** The heading in the help that it stands under. */
  group: string
  /** The subcommands whose audience differs. */
  subcommands?: Record<string, Audience>
}

const ownRun = { pause: 'own-run', resume: 'own-run', stop: 'own-run' } as const

/** Every command, in the order of the help, and who may run it. Its code is loaded when it is registered. */
export const commands: readonly CommandEntry[] = [
  { name: 'ask', register: (...to) => registerAsk(...to), audience: 'agent', group: 'Ask:' },
  { name: 'need', register: (...to) => registerNeed(...to), audience: 'agent', group: 'Ask:' },
  { name: 'askpass', register: (...to) => registerAskpass(...to), audience: 'agent', group: 'Ask:' },
  { name: 'wait', register: (...to) => registerWait(...to), audience: 'agent', group: 'Ask:' },
  { name: 'mcp', register: (...to) => registerMcp(...to), audience: 'agent', group: 'Ask:' },
  { name: 'inbox', register: (...to) => registerInbox(...to), audience: 'person', group: 'Answer:' },
  { name: 'list', register: (...to) => registerList(...to), audience: 'anyone', group: 'Answer:' },
  { name: 'show', register: (...to) => registerShow(...to), audience: 'anyone', group: 'Answer:' },
  { name: 'answer', register: (...to) => registerAnswer(...to), audience: 'person', group: 'Answer:' },
  { name: 'skip', register: (...to) => registerSkip(...to), audience: 'person', group: 'Answer:' },
  { name: 'decline', register: (...to) => registerDecline(...to), audience: 'person', group: 'Answer:' },
  // The command itself lets an agent reply on its own requests only, as the agent.
  { name: 'reply', register: (...to) => registerReply(...to), audience: 'anyone', group: 'Answer:' },
  // The command itself lets an agent withdraw its own requests only.
  { name: 'cancel', register: (...to) => registerCancel(...to), audience: 'anyone', group: 'Answer:' },
  { name: 'kept', register: (...to) => registerKept(...to), audience: 'person', group: 'Answer:' },
  { name: 'run', register: (...to) => registerRun(...to), audience: 'anyone', group: 'Run agents:' },
  {
    name: 'runs',
    register: (...to) => registerRuns(...to),
    audience: 'anyone',
    group: 'Run agents:',
    subcommands: ownRun,
  },
  { name: 'restore', register: (...to) => registerRestore(...to), audience: 'person', group: 'Run agents:' },
  { name: 'agent', register: (...to) => registerAgent(...to), audience: 'anyone', group: 'Run agents:' },
  { name: 'chat', register: (...to) => registerChat(...to), audience: 'anyone', group: 'Run agents:' },
  { name: 'reset', register: (...to) => registerReset(...to), audience: 'anyone', group: 'Run agents:' },
  { name: 'serve', register: (...to) => registerServe(...to), audience: 'anyone', group: 'Serve:' },
  { name: 'token', register: (...to) => registerToken(...to), audience: 'person', group: 'Serve:' },
  {
    name: 'notify',
    register: (...to) => registerNotify(...to),
    audience: 'person',
    group: 'Serve:',
    subcommands: { list: 'anyone' },
  },
  { name: 'callback-secret', register: (...to) => registerCallbackSecret(...to), audience: 'person', group: 'Serve:' },
  { name: 'approve', register: (...to) => registerApprove(...to), audience: 'agent', group: 'Guard:' },
  { name: 'guard', register: (...to) => registerGuard(...to), audience: 'anyone', group: 'Guard:' },
  { name: 'hook', register: (...to) => registerHook(...to), audience: 'agent', group: 'Guard:' },
  {
    name: 'rules',
    register: (...to) => registerRules(...to),
    audience: 'person',
    group: 'Guard:',
    subcommands: { list: 'anyone' },
  },
  { name: 'setup', register: (...to) => registerSetup(...to), audience: 'person', group: 'Maintain:' },
  { name: 'events', register: (...to) => registerEvents(...to), audience: 'anyone', group: 'Maintain:' },
  { name: 'backup', register: (...to) => registerBackup(...to), audience: 'person', group: 'Maintain:' },
  {
    name: 'restore-database',
    register: (...to) => registerRestoreDatabase(...to),
    audience: 'person',
    group: 'Maintain:',
  },
  { name: 'gc', register: (...to) => registerGc(...to), audience: 'person', group: 'Maintain:' },
  { name: 'doctor', register: (...to) => registerDoctor(...to), audience: 'anyone', group: 'Maintain:' },
  { name: 'completion', register: (...to) => registerCompletion(...to), audience: 'anyone', group: 'Maintain:' },
  { name: 'help', register: (...to) => registerHelp(...to), audience: 'anyone', group: 'Maintain:' },
  { name: '__complete', register: (...to) => registerCompletedIds(...to), audience: 'anyone', group: 'Maintain:' },
]

/** The program with all of its commands. It throws every error; main reports it. */
export function createProgram(context: Context): Command {
  const program = new Command('beckon')
    .description('Agents ask. A person answers. The agent carries on.')
    .version(packageJson.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    // Help goes to stdout, also where commander prints it because a subcommand is missing.
    .configureOutput({
      writeOut: text => context.stdout.write(text),
      writeErr: text => context.stdout.write(text),
      outputError: () => {},
    })
    .addHelpText('after', help)
  for (const { register, group } of needed(context.args)) register(program.commandsGroup(group), context)
  program.helpCommand(false)
  enforceAudience(program, context, audienceOf)
  return program.hook('preAction', () => refuseInvalidUtf8(context))
}

// These look at all the others.
const aboutCommands = ['help', 'completion', '__complete']

/** A command that is named by the first word needs no other, and starts sooner. */
function needed([word]: readonly string[]): readonly CommandEntry[] {
  const named = commands.filter(({ name }) => name === word && !aboutCommands.includes(name))
  return named.length > 0 ? named : commands
}

function audienceOf(command: Command): Audience {
  if (command.parent === null) return 'anyone'
  const [name, ...rest] = pathOf(command)
  const entry = commands.find(entry => entry.name === name)
  return entry?.subcommands?.[rest.join(' ')] ?? entry?.audience ?? 'person'
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()]
}

const help = `
Examples:
  beckon ask "Ship it?" --option yes --option no        in one terminal, or in a script
  beckon list                                           in another: what is waiting
  beckon answer req_01jz… yes                           and its answer

Environment:
  BECKON_HOME  the folder with the database and the key     BECKON_WAIT  how long to wait off a terminal (100s)
  BECKON_DB    another file, or postgres://…                BECKON_KEY   the sealing key, instead of the file
  BECKON_USER  who answers, instead of the system's user    BECKON_RUN   set inside a run
  BECKON_URL   a server instead of the database             BECKON_TOKEN its token
  BECKON_GUARD strict: ask about every recursive delete`

import { Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { registerAgent, registerChat, registerReset } from './commands/agent.ts'
import { registerAnswer } from './commands/answer.ts'
import { registerApprove } from './commands/approve.ts'
import { registerAsk } from './commands/ask.ts'
import { registerBackup } from './commands/backup.ts'
import { registerCancel } from './commands/cancel.ts'
import { registerCompletion } from './commands/completion.ts'
import { registerDecline } from './commands/decline.ts'
import { registerDoctor } from './commands/doctor.ts'
import { registerEvents } from './commands/events.ts'
import { registerGc } from './commands/gc.ts'
import { registerGuard } from './commands/guard.ts'
import { registerInbox } from './commands/inbox.ts'
import { registerKept } from './commands/kept.ts'
import { registerList } from './commands/list.ts'
import { registerNeed } from './commands/need.ts'
import { registerNotify } from './commands/notify.ts'
import { registerRestore } from './commands/restore.ts'
import { registerRules } from './commands/rules.ts'
import { registerRun } from './commands/run.ts'
import { registerRuns } from './commands/runs.ts'
import { registerServe } from './commands/serve.ts'
import { registerShow } from './commands/show.ts'
import { registerSkip } from './commands/skip.ts'
import { registerToken } from './commands/token.ts'
import { registerWait } from './commands/wait.ts'
import type { Context } from './context.ts'

/** Every command, by what people and agents do with it. Faults are thrown to main, the one exit. */
export function createProgram(context: Context): Command {
  const program = new Command('beckon')
    .description('Agents ask. A person answers. The agent carries on.')
    .version(packageJson.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText('after', help)
  for (const register of [registerAsk, registerNeed, registerWait]) register(program.commandsGroup('Ask:'), context)
  for (const register of [
    registerInbox,
    registerList,
    registerShow,
    registerAnswer,
    registerSkip,
    registerDecline,
    registerCancel,
    registerKept,
  ]) {
    register(program.commandsGroup('Answer:'), context)
  }
  for (const register of [registerRun, registerRuns, registerRestore, registerAgent, registerChat, registerReset]) {
    register(program.commandsGroup('Run agents:'), context)
  }
  for (const register of [registerServe, registerToken, registerNotify])
    register(program.commandsGroup('Serve:'), context)
  for (const register of [registerApprove, registerGuard, registerRules])
    register(program.commandsGroup('Guard:'), context)
  for (const register of [registerEvents, registerBackup, registerGc, registerDoctor, registerCompletion]) {
    register(program.commandsGroup('Look after it:'), context)
  }
  return program.helpCommand('help [command]', 'print help')
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
  BECKON_URL   a server instead of the database             BECKON_TOKEN its token`

import { commandNamed } from './command-named.ts'
import { createProgram } from './commands.ts'
import { type Context, processContext } from './context.ts'
import { reportError } from './output/errors.ts'
import { print } from './output/print.ts'
import { completeIds } from './short-ids/complete-ids.ts'

export { hasCreatedDatabase } from '../store/sqlite/created.ts'

/** Runs the command that this process was started with, and ends the process. */
export async function main(): Promise<never> {
  const context = processContext()
  await runCommand(context)
  // Flush what was written, and do not wait for anything that is still open, such as a terminal that was read from.
  await Promise.allSettled([print(context.stdout, ''), print(context.stderr, '')])
  process.exit(context.exitCode)
}

/** Runs the command that the arguments name, and sets the exit code. */
export async function runCommand(context: Context): Promise<void> {
  const program = createProgram(context)
  program.hook('preAction', (_, command) => completeIds(command, context))
  try {
    await program.parseAsync(context.args, { from: 'user' })
  } catch (error) {
    const exitCode = await reportError(context, error, commandNamed(program, program.args))
    // To the host of an agent, 2 blocks the call, and any other failure lets it happen.
    context.exitCode = exitCode !== 0 && program.args[0] === 'hook' ? 2 : exitCode
  }
}

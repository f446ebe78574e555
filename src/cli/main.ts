import { refuseAgentsFirst } from './agent-context.ts'
import { refuseBrokenText } from './broken-text.ts'
import { processContext } from './context.ts'
import { reportError } from './errors.ts'
import { print } from './print.ts'
import { createProgram } from './program.ts'

const context = processContext()
try {
  refuseBrokenText(context)
  refuseAgentsFirst(context)
  await createProgram(context).parseAsync(context.args.length > 0 ? context.args : ['--help'], { from: 'user' })
} catch (error) {
  context.exitCode = await reportError(context, error)
}
// Whatever is still open, such as a terminal that was read from, is not waited for; only what was written is.
await Promise.allSettled([print(context.stdout, ''), print(context.stderr, '')])
process.exit(context.exitCode)

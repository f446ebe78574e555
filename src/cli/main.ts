import { refuseAgentsFirst } from './agent-context.ts'
import { createProgram } from './commands.ts'
import { processContext } from './context.ts'
import { reportError } from './output/errors.ts'
import { print } from './output/print.ts'
import { refuseInvalidUtf8 } from './refuse-invalid-utf8.ts'

const context = processContext()
try {
  refuseInvalidUtf8(context)
  refuseAgentsFirst(context)
  await createProgram(context).parseAsync(context.args.length > 0 ? context.args : ['--help'], { from: 'user' })
} catch (error) {
  context.exitCode = await reportError(context, error)
}
// Whatever is still open, such as a terminal that was read from, is not waited for; only what was written is.
await Promise.allSettled([print(context.stdout, ''), print(context.stderr, '')])
process.exit(context.exitCode)

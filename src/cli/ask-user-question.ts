import { join } from 'node:path'
import { readArguments } from './ask-user-question/arguments.ts'
import type { ValidCall } from './ask-user-question/execute-call.ts'
import { limitsOf } from './ask-user-question/limits.ts'
import { readQuestions } from './ask-user-question/questions.ts'
import { readJson } from './ask-user-question/read-json.ts'
import { reportError } from './ask-user-question/report-error.ts'
import manual from './ask-user-question.md'
import { type Context, processContext } from './context.ts'
import { exitCodes } from './output/exit-codes.ts'
import { print } from './output/print.ts'
import { refuseInvalidUtf8 } from './refuse-invalid-utf8.ts'

// An agent waits for every start of this command. Only what a bad call or the manual needs is imported here; the rest is
// loaded for a valid call. Built as CommonJS, which Node starts faster.

run(processContext())

async function run(context: Context): Promise<never> {
  const exitCode = await askUserQuestion(context).catch(error => reportError(context, error))
  // Flush what was written, and do not wait for anything that is still open, such as a terminal that was read from.
  await Promise.allSettled([print(context.stdout, ''), print(context.stderr, '')])
  process.exit(exitCode)
}

async function askUserQuestion(context: Context): Promise<number> {
  refuseInvalidUtf8(context)
  const call = readArguments(context.args)
  switch (call.verb) {
    case 'help':
      return printManual(context)
    case 'wait':
      return executeCall(context, call)
    case 'ask': {
      const limits = limitsOf(context.env)
      const asked = readQuestions(await readJson(context, call.source), limits)
      return executeCall(context, { ...call, ...asked })
    }
  }
}

async function printManual({ stdout }: Context): Promise<number> {
  await print(stdout, manual)
  return exitCodes.fine
}

async function executeCall(context: Context, call: ValidCall): Promise<number> {
  const { requireWithCodeCache } = await import('./v8-code-cache.ts')
  const bundle = join(__dirname, 'ask-user-question', 'execute-call.cjs')
  const { executeCall } = requireWithCodeCache<typeof import('./ask-user-question/execute-call.ts')>(
    bundle,
    context.env,
  )
  return executeCall(context, call)
}

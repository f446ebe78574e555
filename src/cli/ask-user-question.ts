import { join } from 'node:path'
import { readArguments } from './ask-user-question/arguments.ts'
import type { GoodCall } from './ask-user-question/execute-call.ts'
import { limitsOf } from './ask-user-question/limits.ts'
import { readQuestions } from './ask-user-question/questions.ts'
import { readJson } from './ask-user-question/read-json.ts'
import { report } from './ask-user-question/report-error.ts'
import manual from './ask-user-question.md'
import { type Context, processContext } from './context.ts'
import { exitCodes } from './output/exit-codes.ts'
import { print } from './output/print.ts'
import { refuseInvalidUtf8 } from './refuse-invalid-utf8.ts'

// An agent waits for every start of this. What a bad call or the manual needs is here; all else is loaded for a good
// call alone. Built as CommonJS, which Node starts faster.

run(processContext())

async function run(context: Context): Promise<never> {
  const exitCode = await askUserQuestion(context).catch(error => report(context, error))
  // Whatever is still open, such as a terminal that was read from, is not waited for; only what was written is.
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
      const questions = readQuestions(await readJson(context, call.source), limits)
      return executeCall(context, { ...call, questions })
    }
  }
}

async function printManual({ stdout }: Context): Promise<number> {
  await print(stdout, manual)
  return exitCodes.fine
}

async function executeCall(context: Context, call: GoodCall): Promise<number> {
  const { requireCompiled } = await import('./v8-code-cache.ts')
  const bundle = join(__dirname, 'ask-user-question', 'execute-call.cjs')
  const { executeCall } = requireCompiled<typeof import('./ask-user-question/execute-call.ts')>(bundle, context.env)
  return executeCall(context, call)
}

import { join } from 'node:path'
import { type Context, silentContext } from '../context.ts'
import { requireWithCodeCache } from '../v8-code-cache.ts'
import { readArguments } from './arguments.ts'

// An agent waits for every start of a hook. Like AskUserQuestion, it is built as CommonJS, and all that it may need is one
// file whose compiled code is kept.

run(silentContext())

async function run(context: Context): Promise<never> {
  process.exit(await answer(context).catch(error => reportFailure(error)))
}

async function answer(context: Context): Promise<number> {
  const { host, options } = readArguments(context.args.slice(1))
  const { runHook } = requireWithCodeCache<typeof import('./run-hook.ts')>(join(__dirname, 'run-hook.cjs'), context.env)
  return runHook(context, host, options)
}

function reportFailure(error: unknown): number {
  process.stderr.write(`beckon: ${error instanceof Error ? error.message : String(error)}\n`)
  return 2
}

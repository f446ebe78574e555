import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { createProgram } from '../../src/cli/commands.ts'
import { type Context, processContext } from '../../src/cli/context.ts'

const outside = processContext()

/** The program in this process, with what it prints. */
export function programWith(args: string[], env: NodeJS.ProcessEnv): { program: Command; printed: () => string } {
  let text = ''
  const stdout = new Writable({
    write(chunk, _, done) {
      text += String(chunk)
      done()
    },
  })
  const context: Context = { ...outside, args, env, stdout, stderr: stdout, isTerminal: false }
  return { program: createProgram(context), printed: () => text }
}

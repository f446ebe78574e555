import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox, launcher } from '../cli/sandbox.ts'
import { type TerminalOptions, terminal } from '../cli/tmux.ts'
import { type Script, startModelServer } from './model-server.ts'

export const agentArgs = ['agent', '--model', 'anthropic/scripted']

/** The agent in a real terminal, with a scripted model. */
export async function createAgentScreen(script: Script) {
  const sandbox = await createSandbox()
  const server = await startModelServer(script)
  sandbox.atEnd(() => server.close())
  const open = (size: TerminalOptions = {}, args = agentArgs, env: Record<string, string> = {}) =>
    terminal(sandbox, args, { ...server.env, ...env }, size)
  /** On a terminal that cannot draw frames. */
  const openDumb = (size: TerminalOptions = {}) =>
    open({ ...size, interpreter: 'env' }, ['TERM=dumb', process.execPath, launcher, ...agentArgs])
  /** Ends the command of `waitForFile`. */
  const release = () => writeFileSync(join(sandbox.cwd, 'go'), '')
  return { ...sandbox, server, open, openDumb, release }
}

export const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] })

/** A command that runs until the test releases it. */
export const waitForFile = bash('echo started; while [ ! -e go ]; do sleep 0.05; done; rm go; echo finished')

/** What the person said, as the model gets it. */
export function saidIn(seen: { items: readonly { type: string; text?: string }[] } | undefined): string[] {
  return (seen?.items ?? []).flatMap(({ type, text = '' }) => (type === 'user' ? [text] : []))
}

import { join } from 'node:path'
import { cutOutput } from '../../agent/context/cut.ts'
import { runShell } from '../../agent/tools/shell.ts'

interface OwnCommand {
  readonly command: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** The folder of the conversation, for an output that is too long. */
  readonly folder: string
  onOutput(text: string): void
}

// A person stops it themselves.
const noTimeout = 2 ** 31 - 1

/** Commands that the person runs with `!`. The model learns of them with the next message. */
export function createOwnCommands() {
  let count = 0
  let untold: string[] = []
  return { run, tell }

  async function run({ command, folder, ...shell }: OwnCommand): Promise<{ output: string; failed: boolean }> {
    count += 1
    const outputFile = join(folder, 'results', `own-${Date.now()}-${count}.txt`)
    const { output, failed = false } = await runShell({ ...shell, command, outputFile, timeout: noTimeout })
    untold.push(`I ran this command myself:\n$ ${command}\n${cutOutput(output, outputFile).output}`)
    return { output, failed }
  }

  /** The message, after what the person ran since the last one. */
  function tell(message: string): string {
    const parts = [...untold, message]
    untold = []
    return parts.join('\n\n')
  }
}

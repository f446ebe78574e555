import * as z from 'zod'
import type { Classify } from '../../approval/classify.ts'
import { judgingOptions } from '../../approval/judging-options.ts'
import { takeFacts } from '../../approval/take-facts.ts'
import { workspaceReader } from '../../approval/workspace-reader.ts'
import description from './bash.md'
import { runInBackground, runShell } from './shell.ts'
import { shellEnvironment } from './shell-environment.ts'
import type { WorkTool } from './tool.ts'

const defaultTimeout = 120
const maxTimeout = 3_600

const schema = z.strictObject({
  command: z.string().min(1).max(100_000),
  timeout: z.number().positive().max(maxTimeout).optional().describe(`Seconds; ${defaultTimeout} by default`),
  background: z.boolean().optional().describe('Return at once and leave it running, such as a server'),
})
type Input = z.output<typeof schema>

/** The guard judges every command before it runs. */
export function bashTool(classify: Classify): WorkTool<Input> {
  return {
    kind: 'work',
    name: 'Bash',
    description,
    schema,
    effect: 'once',
    title: ({ command, background }) => (background ? `${command} &` : command),
    judge({ command }, workspace) {
      const context = { cwd: workspace.cwd, env: shellEnvironment(workspace.env) }
      const readFile = workspaceReader(workspace.cwd)
      const options = { ...judgingOptions(context), workspace: workspace.cwd, shell: 'bash', readFile }
      const { verdict, severity, reasons, safer, ...read } = classify(command, options)
      const facts = takeFacts([command], context, read, workspace.hmac)
      return { action: { command, cwd: workspace.cwd, facts }, verdict, severity, reasons, safer }
    },

    async run({ command, timeout = defaultTimeout, background = false }, job) {
      const shell = { command, cwd: job.cwd, env: shellEnvironment(job.env), outputFile: job.outputFile }
      if (background) {
        const { pid } = runInBackground(shell)
        return {
          output: `Running in the background as process group ${pid}; its output goes to ${job.outputFile}. End it with: kill -- -${pid}`,
        }
      }
      return runShell({ ...shell, timeout: timeout * 1_000, signal: job.signal, onOutput: job.onOutput })
    },
  }
}

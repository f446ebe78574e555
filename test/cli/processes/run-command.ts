import { processContext } from '../../../src/cli/context.ts'
import { runCommand } from '../../../src/cli/spawn-command.ts'

process.exitCode = await runCommand(processContext(), process.argv.slice(2), {}, { stdoutToStderr: false })

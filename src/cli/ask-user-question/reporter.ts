import type { QuestionRequest, Request } from '../../protocol/request.ts'
import type { Reporter } from '../output/reporter.ts'
import { wrongKind } from '../resume-command.ts'

/** AskUserQuestion reports to agents: every line says what to run next. */
export const reporter: Reporter = {
  name: 'AskUserQuestion',
  waitCommand: ({ id }) => `AskUserQuestion --wait ${id}`,
  resumeCommand: ({ id }) => `AskUserQuestion --wait ${id}`,
  announcement: ({ id }) =>
    `${id} waits for a person. If this command is cut off, run: AskUserQuestion --wait ${id} (repeating the same call joins the same question)`,
  async printOutcome({ stdout }, request) {
    const { printJson } = await import('../output/print-json.ts')
    const { resultOf } = await import('./result.ts')
    await printJson(stdout, resultOf(asQuestion(request)))
  },
  async printMessages({ stdout }, asked) {
    const { printJson } = await import('../output/print-json.ts')
    await printJson(stdout, asked)
  },
}

export function asQuestion(request: Request): QuestionRequest {
  if (request.kind === 'question') return request
  throw wrongKind(request, 'question')
}

import { BeckonError } from '../../protocol/errors.ts'
import type { QuestionRequest, Request } from '../../protocol/request.ts'
import type { Reporter } from '../output/reporter.ts'

/** AskUserQuestion reports to agents: every line says what to run next. */
export const reporter: Reporter = {
  name: 'AskUserQuestion',
  waitCommand: ({ id }) => `AskUserQuestion --wait ${id}`,
  announcement: ({ id }) =>
    `${id} waits for a person. If this command is cut off, run: AskUserQuestion --wait ${id} (repeating the same call joins the same question)`,
  async printOutcome({ stdout }, request) {
    const { printJson } = await import('../output/print-json.ts')
    const { resultOf } = await import('./result.ts')
    await printJson(stdout, resultOf(asQuestion(request)))
  },
}

export function asQuestion(request: Request): QuestionRequest {
  if (request.kind === 'question') return request
  const { id, kind } = request
  throw new BeckonError(
    'invalid',
    `${id} is ${kind === 'approval' ? 'an' : 'a'} ${kind}, not a question. Wait for it with: beckon wait ${id}`,
  )
}

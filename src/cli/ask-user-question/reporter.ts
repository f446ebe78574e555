import { BeckonError } from '../../protocol/errors.ts'
import type { QuestionRequest, Request } from '../../protocol/request.ts'
import type { Reporter } from '../output/reporter.ts'

/** AskUserQuestion speaks to agents: each line tells what to run next. */
export const reporter: Reporter = {
  name: 'AskUserQuestion',
  waitCommand: ({ id }) => `AskUserQuestion --wait ${id}`,
  announcement: ({ id }) =>
    `${id} waits for a person. If this is cut off, go on with: AskUserQuestion --wait ${id} (the same call again joins the same question)`,
  async printOutcome({ stdout }, request) {
    const { printJson } = await import('../output/print-json.ts')
    const { resultOf } = await import('./result.ts')
    await printJson(stdout, resultOf(asQuestion(request)))
  },
}

export function asQuestion(request: Request): QuestionRequest {
  if (request.kind === 'question') return request
  const { id, kind } = request
  throw new BeckonError('invalid', `${id} is no question but of the kind ${kind}. Wait for it with: beckon wait ${id}`)
}

import type { Outcome as Recorded } from '../protocol/answer.ts'
import { BeckonError, invalid, type Problem } from '../protocol/errors.ts'
import type { RequestPage, Settlement } from '../protocol/hub.ts'
import { type Operation, operations } from '../protocol/operations/index.ts'
import type { Verb } from '../protocol/operations/verbs.ts'
import type { Request } from '../protocol/request.ts'
import type { Used } from '../protocol/use.ts'
import { outcomeValue } from '../rules/outcome-value.ts'

/** A verb of the hub as programs have it: it takes a single question in short, and every outcome has `id` and `value`. */
export function typedVerb(name: string, verb: Verb): Verb {
  const show = shows[resultOf(name)]
  const asks = name === 'ask' || name === 'raise'
  if (!show && !asks) return verb
  return async (...args) => {
    const result = await (asks ? askInShort(verb, args) : verb(...args))
    return show ? show(result as never) : result
  }
}

async function askInShort(verb: Verb, [given, ...rest]: unknown[]): Promise<unknown> {
  const asked = inFull(given)
  try {
    return await verb(asked, ...rest)
  } catch (error) {
    throw asked === given ? error : inShort(error)
  }
}

const promptFields = ['id', 'question', 'header', 'category', 'options', 'multiSelect', 'allowOther', 'default']

/** A question at the top is short for a list of one. Whatever else is wrong with it, the hub says. */
function inFull(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('question' in given) || 'questions' in given) return given
  const entries = Object.entries(given)
  const isPrompt = ([name]: [string, unknown]) => promptFields.includes(name)
  const prompt = Object.fromEntries(entries.filter(isPrompt))
  return { ...Object.fromEntries(entries.filter(entry => !isPrompt(entry))), questions: [prompt] }
}

/** Names the fields as the program wrote them. */
function inShort(error: unknown): unknown {
  if (!(error instanceof BeckonError) || error.code !== 'invalid' || !Array.isArray(error.details)) return error
  const problems = error.details as Problem[]
  return invalid(problems.map(({ path, message }) => ({ path: path.replace(/^questions\[0\]\.?/, ''), message })))
}

type Shown = 'Request' | 'RequestPage' | 'Settlement' | 'Used'

const shows: Partial<Record<string, (result: never) => unknown>> = {
  Request: showRequest,
  RequestPage: (page: RequestPage) => ({ ...page, requests: page.requests.map(showRequest) }),
  Settlement: (settlement: Settlement) => ({ ...settlement, request: showRequest(settlement.request) }),
  Used: (used: Used) => ({ ...used, request: showRequest(used.request) }),
} satisfies Record<Shown, (result: never) => unknown>

function resultOf(name: string): string {
  if (name === 'wait') return 'Request'
  const entry: Operation | undefined = operations.find(each => each.name === name)
  return entry?.settles ? 'Settlement' : (entry?.result ?? '')
}

function showRequest(request: Request): Request {
  const { id, outcome } = request
  return outcome ? { ...request, outcome: { ...outcome, id, value: outcomeValue(request) } as Recorded } : request
}

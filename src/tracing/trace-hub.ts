import type { HubApi, Request, Settlement, Used } from '../protocol/index.ts'
import type { Attributes, Span, Tracer } from './tracer.ts'

// Spans of the verbs that matter to people who wait: ask, answer, wait and what belongs to them. A request keeps the trace that
// it was asked in, so that what happens to it later, elsewhere, is part of that trace or linked to it.

type Traced = HubApi & { raiseOrJoin?: (...args: never[]) => Promise<{ request: Request }> }

interface Options {
  tracer: Tracer
  /** Whether requests are settled here, and not by a server that this hub calls. */
  settlesHere: boolean
}

/** The same hub, with a span around each of these verbs. */
export function traceHub<Hub extends Traced>(hub: Hub, { tracer, settlesHere }: Options): Hub {
  const traced: Partial<Traced> = {
    raise: input => span('ask', kindOf(input), () => hub.raise(input), describe),
    ask: (input, options) =>
      span(
        'ask',
        kindOf(input),
        () => hub.ask(input, options),
        ({ id, status }) => ({
          'beckon.request.id': id,
          'beckon.request.status': status,
        }),
      ),
    wait: (id, options) => span('wait', idOf(id), () => hub.wait(id, options), describe),
    answer: (id, input) => settling('answer', id, () => hub.answer(id, input)),
    skip: (id, input) => settling('skip', id, () => hub.skip(id, input)),
    decline: (id, input) => settling('decline', id, () => hub.decline(id, input)),
    cancel: (id, input) => settling('cancel', id, () => hub.cancel(id, input)),
    confirmDelivery: id => span('deliver', idOf(id), () => hub.confirmDelivery(id), describe),
    use: (id, options) =>
      span(
        'use',
        idOf(id),
        () => hub.use(id, options),
        ({ request }: Used) => describe(request),
      ),
  }
  const { raiseOrJoin } = hub
  if (raiseOrJoin) {
    traced.raiseOrJoin = (...args) =>
      span(
        'ask',
        kindOf(args[0]),
        () => raiseOrJoin(...args),
        ({ request }) => describe(request),
      )
  }
  return { ...hub, ...traced }

  function span<T>(
    verb: string,
    attributes: Attributes,
    work: () => Promise<T>,
    attributesOf: (result: T) => Attributes,
  ): Promise<T> {
    return tracer.span(`beckon.${verb}`, { attributes }, async current => {
      const result = await work()
      current.set(attributesOf(result))
      return result
    })
  }

  /** What a person does is a trace of its own; that of the asker ends here, as long as the person took. */
  function settling(verb: string, id: string, work: () => Promise<Settlement>): Promise<Settlement> {
    return tracer.span(`beckon.${verb}`, { attributes: idOf(id) }, async current => {
      const settlement = await work()
      const { request, won } = settlement
      current.set({ ...describe(request), 'beckon.won': won, 'beckon.channel': request.outcome?.channel })
      if (won && settlesHere) recordLife(tracer, request, current)
      return settlement
    })
  }
}

/** From the ask to the settlement: the time that a person took, in the trace of the asker. */
export function recordLife(tracer: Tracer, request: Request, settledBy: Span | null): void {
  const { traceparent, createdAt, settledAt, outcome } = request
  if (traceparent === undefined || settledAt === null) return
  const life = tracer.start('beckon.request', {
    parent: traceparent,
    link: settledBy?.traceparent,
    attributes: { ...describe(request), 'beckon.channel': outcome?.channel },
    at: Date.parse(createdAt),
  })
  life.end(undefined, Date.parse(settledAt))
}

function describe(request: Request): Attributes {
  return {
    ...idOf(request.id),
    'beckon.request.kind': request.kind,
    'beckon.request.status': request.status,
    'beckon.request.severity': request.kind === 'approval' ? request.action.severity : null,
    'beckon.run.id': request.run,
  }
}

function idOf(id: string): Attributes {
  return /^[\w-]{1,100}$/.test(id) ? { 'beckon.request.id': id } : {}
}

const kinds = new Set<unknown>(['question', 'dependency', 'approval', 'review'])

/** Not checked yet: it may be anything. */
function kindOf(input: unknown): Attributes {
  const kind = (input as { kind?: unknown } | null)?.kind ?? 'question'
  return kinds.has(kind) ? { 'beckon.request.kind': kind as string } : {}
}

import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import type { Request } from '../../protocol/request.ts'
import { shortIds } from '../../rules/short-ids.ts'
import { ageOf } from '../../text/age.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { agentContext } from '../agent-context.ts'
import { fullName } from '../command-named.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { withHub } from '../with-hub.ts'

const mostOffered = 200
const longestTitle = 70

/** For a command without the id that it needs: on a terminal, the person picks one of the open requests. */
export async function pickRequest(command: Command, context: Context): Promise<string> {
  if (!context.isTerminal || agentContext(context).marker !== null) throw missingId(command)
  const { requests } = await withHub(context, hub => hub.list({ limit: mostOffered }), { sweeps: false })
  if (requests.length === 0)
    throw new BeckonError('not_found', 'No requests are waiting. Settled ones: beckon list --all')
  const { pick } = await import('../../terminal/pick.ts')
  const interrupted = interruption()
  const { stdin, stderr, env } = context
  const picked = await pick(
    { input: stdin, output: stderr, env },
    {
      title: `Which request? (beckon ${command.name()})`,
      rows: await rowsOf(requests, context.now(), longestTitle),
      searched: await rowsOf(requests, context.now(), Infinity),
      plain: Boolean(command.opts().plain),
      signal: interrupted.signal,
    },
  ).finally(interrupted.release)
  const request = picked === null ? undefined : requests[picked]
  if (request) return request.id
  throw new BeckonError('invalid', 'No request was chosen; nothing changed.')
}

function missingId(command: Command): BeckonError {
  const how = `Give the id of a request, from: beckon list. See: ${fullName(command)} --help`
  return new BeckonError('invalid', `missing required argument 'id'. ${how}`)
}

async function rowsOf(requests: readonly Request[], now: number, longest: number): Promise<string[]> {
  const { titleOf } = await import('../../rules/title.ts')
  const ids = shortIds(requests.map(({ id }) => id))
  return requests.map((request, i) => {
    const agent = cut(harmlessTitle(request.agent.name), 24)
    return `${ids[i]} ${cut(harmlessTitle(titleOf(request)), longest)} · ${request.kind} by ${agent}, ${ageOf(request.createdAt, now)}`
  })
}

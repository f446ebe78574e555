import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { createRedactor } from '../secrets/redact.ts'
import { openAgain } from './opened-secrets.ts'

/** Every request of a run, oldest first. */
async function* requestsOfRun(hub: HubApi, run: string): AsyncGenerator<Request> {
  for (let after: string | undefined; ; ) {
    const { requests, next } = await hub.list({ run, status: 'all', limit: 1_000, ...(after ? { after } : {}) })
    yield* requests
    if (next === null) return
    after = next
  }
}

/** Requests that were decided and have not reached the agent; without those that were withdrawn. */
export async function undeliveredRequests(hub: HubApi, run: string): Promise<Request[]> {
  const undelivered: Request[] = []
  for await (const request of requestsOfRun(hub, run)) {
    const { status, deliveredAt } = request
    if (deliveredAt === null && !['pending', 'cancelled', 'orphaned'].includes(status)) undelivered.push(request)
  }
  return undelivered
}

/** The secrets that a run was given: its log must not contain them. */
export async function usedSecrets(hub: HubApi, run: string): Promise<string[]> {
  const values: string[] = []
  for await (const request of requestsOfRun(hub, run)) {
    if (request.kind !== 'dependency' || request.usedAt === null || !secretTypes.includes(request.type)) continue
    const value = await openAgain(hub, request)
    if (value !== null) values.push(value)
  }
  return values
}

/** The text, as the log of the run would have it. */
export async function withoutSecrets(hub: HubApi, run: string, text: string): Promise<string> {
  const redactor = createRedactor()
  for (const secret of await usedSecrets(hub, run)) redactor.add(secret)
  return Buffer.concat([redactor.push(Buffer.from(text)), redactor.end()]).toString()
}

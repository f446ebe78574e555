import { type HookHost, type HookReply, silence } from '../hook.ts'
import { fieldsOf } from '../input.ts'
import { waitForPerson } from '../wait-for-person.ts'
import { blockStop } from './replies.ts'
import { saveReview, wasReviewed } from './reviewed.ts'
import { agentName, sessionOf } from './session.ts'

/**
 * Claude has finished. With --review a person looks at its changes, and "changes" sends it back to work with what they wrote.
 * Only a person's word keeps Claude from stopping, and the same changes are reviewed once: it cannot go on for ever.
 */
export async function onStop(input: unknown, host: HookHost): Promise<HookReply> {
  if (!host.reviews) return silence
  const { id: session, cwd } = sessionOf(input)
  const diff = await host.changes(cwd)
  if (diff === null || wasReviewed(host.home, session, diff)) return silence
  const { hub } = await host.open()
  const raised = await hub.raise({
    kind: 'review',
    run: host.run,
    session,
    agent: { name: agentName, cwd },
    title: titleOf(input),
    context: diff,
  })
  const settled = await waitForPerson(hub, raised, host)
  if (settled === null) return silence
  if (settled.status === 'pending') {
    await hub.cancel(settled.id, { reason: "The hook's time is up" })
    return { output: { systemMessage: 'Beckon: nobody reviewed the work in time.' }, message: null, exitCode: 0 }
  }
  await hub.confirmDelivery(settled.id)
  saveReview(host.home, session, diff)
  const [answer] = settled.outcome?.answers ?? []
  if (settled.status !== 'answered' || answer?.selected[0] !== 'changes') return silence
  return blockStop(`A person reviewed the work and asks for changes: ${answer.text ?? settled.outcome?.note ?? ''}`)
}

function titleOf(input: unknown): string {
  const { last_assistant_message: said = '' } = fieldsOf(input)
  const [first = ''] = String(said).trim().split('\n')
  return first.trim() === '' ? 'Review the work of Claude' : `Review the work of Claude: ${first.slice(0, 300)}`
}

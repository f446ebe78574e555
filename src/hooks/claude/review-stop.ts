import { askAside } from '../ask-about-call.ts'
import { type HookHost, type HookReply, silence } from '../hook.ts'
import { fieldsOf } from '../input.ts'
import { blockStop } from './replies.ts'
import { saveReview, wasReviewed } from './reviewed.ts'
import { agentName, openCalls, sessionOf } from './session.ts'

/**
 * Claude has finished. With --review a person looks at its changes, and "changes" sends it back to work with what they wrote.
 * Only a person's word keeps Claude from stopping, and the same changes are reviewed once: it cannot go on for ever.
 */
export async function onStop(input: unknown, host: HookHost): Promise<HookReply> {
  if (!host.reviews) return silence
  const { id: session, cwd } = sessionOf(input)
  const { diff, context } = await host.changes(cwd)
  const reviewed = diff ?? context
  if (reviewed === null || wasReviewed(host.home, session, reviewed)) return silence
  const { hub } = await host.open()
  const agent = { name: agentName, cwd }
  const settled = await askAside(host, {
    ask: {
      kind: 'review',
      run: host.run,
      session,
      agent,
      title: titleOf(input),
      diff,
      context: contextOf(input, context),
    },
    calls: openCalls(host, session),
    withdrawnAtLimit: "The hook's time is up",
  })
  if (settled === null) {
    return { output: { systemMessage: 'Beckon: nobody reviewed the work in time.' }, message: null, exitCode: 0 }
  }
  await hub.confirmDelivery(settled.id)
  saveReview(host.home, session, reviewed)
  const [answer] = settled.outcome?.answers ?? []
  if (settled.status !== 'answered' || answer?.selected[0] !== 'changes') return silence
  return blockStop(`A person reviewed the work and asks for changes: ${answer.text ?? settled.outcome?.note ?? ''}`)
}

/** What Claude said last, beyond the title, and how much it changed. */
function contextOf(input: unknown, changes: string | null): string | null {
  const [, ...more] = lastWords(input)
  const said = [more.join('\n').trim().slice(0, longestSummary), changes ?? '']
  return said.filter(text => text !== '').join('\n\n') || null
}

const longestSummary = 20_000

function titleOf(input: unknown): string {
  const [first = ''] = lastWords(input)
  return first.trim() === '' ? 'Review the work of Claude' : `Review the work of Claude: ${first.slice(0, 300)}`
}

function lastWords(input: unknown): string[] {
  const { last_assistant_message: said = '' } = fieldsOf(input)
  return String(said).trim().split('\n')
}

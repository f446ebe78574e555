/** A call of a tool that opencode told us of. */
export interface Call {
  readonly session: string
  readonly id: string
  readonly tool: string
  readonly input: Record<string, unknown>
  /** Dangerous: it must not run before a person has approved it. */
  state: 'unremarkable' | 'dangerous' | 'approved'
}

export interface Calls {
  begin(call: Omit<Call, 'state'>): Call
  find(session: string, id: string | undefined): Call | undefined
  /** What an event says is over, however it ended: nobody needs to answer it any more. */
  endedBy(type: string, properties: Record<string, unknown>): Over[]
}

/** A session, or one call in it. */
export interface Over {
  readonly session?: string
  readonly call?: string
}

export function trackCalls(): Calls {
  const sessions = new Map<string, Map<string, Call>>()
  return {
    begin(call) {
      const begun: Call = { ...call, state: 'unremarkable' }
      const calls = sessions.get(call.session) ?? new Map<string, Call>()
      sessions.set(call.session, calls.set(call.id, begun))
      return begun
    },
    find: (session, id = '') => sessions.get(session)?.get(id),
    endedBy(type, properties) {
      const over = overBy(type, properties)
      for (const { session = '', call = '' } of over) {
        // A call that must not run is remembered: whatever opencode says about it, it may still be on its way.
        if (sessions.get(session)?.get(call)?.state !== 'dangerous') sessions.get(session)?.delete(call)
      }
      if (type === 'session.deleted') sessions.delete(String(properties.sessionID))
      return over
    },
  }
}

/** Where a person stops the agent, opencode tells of no reply: its dialogs are gone, and the session is idle. */
function overBy(type: string, { sessionID, status, part }: Record<string, unknown>): Over[] {
  if (type === 'message.part.updated') return overWith(part as ToolPart)
  const isIdle = (status as { type?: string } | undefined)?.type === 'idle'
  const isOver = type === 'session.idle' || type === 'session.deleted' || (type === 'session.status' && isIdle)
  return typeof sessionID === 'string' && isOver ? [{ session: sessionID }] : []
}

interface ToolPart {
  readonly sessionID: string
  readonly callID?: string
  readonly state?: { readonly status?: string }
}

function overWith({ sessionID, callID, state }: ToolPart): Over[] {
  if (callID === undefined || !['completed', 'error'].includes(state?.status ?? '')) return []
  return [{ session: sessionID, call: callID }]
}

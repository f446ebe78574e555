import type { Hub } from '../../hub/hub.ts'
import type { LeasedMessage } from '../../hub/outbox.ts'
import type { LeasedEvent } from '../../hub/program-outbox.ts'
import type { SendResult } from '../../notify/channel.ts'
import type { Delivery } from '../../notify/post.ts'
import type { PrepareChat, Sender } from '../../notify/sender.ts'
import type { Log } from '../../server/log.ts'
import type { Served } from '../../server/serve.ts'
import type { Tracer } from '../../tracing/tracer.ts'

interface Options {
  hub: Hub
  served: Served
  log: Log
  env: NodeJS.ProcessEnv
  tracer: Tracer | null
  prepareChat: PrepareChat
}

/** Sends messages about open requests while the server runs, counted in its metrics and in the traces of the requests. */
export async function startSending({ hub, served, log, env, tracer, prepareChat }: Options): Promise<Sender> {
  const { startSender } = await import('../../notify/sender.ts')
  const { allowedHostsOf } = await import('../../notify/callbacks/check-callback.ts')
  const { postCallback } = await import('../../notify/callbacks/post-callback.ts')
  const allowed = allowedHostsOf(env)
  const callBack = (delivery: Delivery) => postCallback(delivery, { allowed })
  return startSender({
    hub,
    outbox: hub.outbox,
    inbox: served.url,
    log,
    prepareChat,
    onResult: served.countNotification,
    ...(allowed.isEmpty ? {} : { callBack }),
    ...(tracer ? { trace: traceNotifications(tracer) } : {}),
  })
}

/** Each attempt is a span of the trace that the request was asked in. */
function traceNotifications(tracer: Tracer) {
  return (
    { target, about, event, tries }: LeasedMessage | LeasedEvent,
    work: () => Promise<SendResult>,
  ): Promise<SendResult> => {
    const attributes = {
      'beckon.target.kind': target.kind,
      'beckon.event': event,
      'beckon.about': about.id,
      'beckon.try': tries,
    }
    const parent = 'traceparent' in about ? about.traceparent : null
    return tracer.span('beckon.notify', { kind: 'client', parent: parent ?? null, attributes }, async span => {
      const sent = await work()
      span.set({ 'beckon.result': sent.result })
      return sent
    })
  }
}

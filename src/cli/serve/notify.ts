import type { Hub } from '../../hub/hub.ts'
import type { Sender } from '../../notify/sender.ts'
import type { Log } from '../../server/log.ts'
import type { Served } from '../../server/serve.ts'

/** Sends messages about open requests while the server runs, with metrics for Prometheus. */
export async function startSending(hub: Hub, served: Served, log: Log): Promise<Sender> {
  const { startSender } = await import('../../notify/sender.ts')
  const sender = startSender({ hub, outbox: hub.outbox, inbox: served.url, log })
  const { counts } = sender
  served.gauge('beckon_messages_waiting', 'Messages that wait to be sent.', () => counts.waiting)
  served.gauge('beckon_messages_sent', 'Messages that targets accepted from this server.', () => counts.sent)
  served.gauge('beckon_messages_failed', 'Attempts that failed.', () => counts.failed)
  served.gauge('beckon_messages_given_up', 'Messages that were dropped after a day of attempts.', () => counts.givenUp)
  return sender
}

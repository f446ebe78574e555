import type { Hub } from '../../hub/hub.ts'
import type { Sender } from '../../notify/sender.ts'
import type { Log } from '../../server/log.ts'
import type { Served } from '../../server/serve.ts'

/** As long as it serves, people are told of what waits; and Prometheus of how that goes. */
export async function startSending(hub: Hub, served: Served, log: Log): Promise<Sender> {
  const { startSender } = await import('../../notify/sender.ts')
  const sender = startSender({ hub, outbox: hub.outbox, inbox: served.url, log })
  const { counts } = sender
  served.gauge('beckon_messages_waiting', 'Messages to people that wait to be sent.', () => counts.waiting)
  served.gauge('beckon_messages_sent', 'Messages that targets took from this server.', () => counts.sent)
  served.gauge('beckon_messages_failed', 'Tries that targets did not take.', () => counts.failed)
  served.gauge('beckon_messages_given_up', 'Messages that were given up after a day.', () => counts.givenUp)
  return sender
}

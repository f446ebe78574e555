import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '../../../src/open-hub.ts'

// Waits until every sub-agent has asked, then answers in the given order.
const order = JSON.parse(process.argv[2] ?? '[]') as string[]
const hub = await openHub()
let open = (await hub.list()).requests
while (open.length < order.length) {
  await sleep(20)
  open = (await hub.list()).requests
}
for (const name of order) {
  const request = open.find(({ agent }) => agent.path.at(-1) === name)
  if (request) await hub.answer(request.id, { value: `${name}'s own answer` })
}
await hub.close()

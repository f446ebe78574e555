// Asks a hub over HTTP by fetch alone, on whatever runtime this is: prints the request's id, then the answer.
import { connect } from 'beckon/client'

const env = globalThis.Deno?.env.toObject() ?? process.env
const hub = connect(env.HUB, { token: env.TOKEN, agent: 'another runtime' })
const { id } = await hub.raise({ question: 'Ship it?', options: ['yes', 'no'] })
console.log(id)
const { outcome } = await hub.wait(id)
console.log(outcome.value)

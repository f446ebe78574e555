import { registerHooks } from 'node:module'

const rooms = new Set<string>()
registerHooks({
  load(url, context, nextLoad) {
    const [, room] = /\/src\/(\w+)\//.exec(url) ?? []
    if (room) rooms.add(room)
    return nextLoad(url, context)
  },
})

const { openHub } = await import('../../../src/index.ts')
const hub = await openHub(process.argv[2] ?? '')
await hub.raise({ questions: [{ question: 'Which?' }] })
const afterQuestion = [...rooms].sort()
await hub.raise({ kind: 'approval', action: { command: 'ls', cwd: '/' } })
await hub.close()
process.stdout.write(JSON.stringify({ afterQuestion, afterApproval: [...rooms].sort() }))

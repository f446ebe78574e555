import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AskInput } from '../../src/protocol/index.ts'
import { openSite } from './fixture.ts'

// Takes the pictures for docs/agents.md from a real inbox, after npm run build: node scripts/in-clean-session.mjs node
// test/web/agent-pictures.ts. Each request is as the agent's door raises it.

const folder = join(import.meta.dirname, '../../docs/images/agents')
const width = 720
const cwd = '/srv/shop'

const requests: Record<string, AskInput> = {
  claude: {
    agent: { name: 'claude-code', cwd },
    session: '3f2a9c10-4b1d-4e2f-9a55-0d6c1f7be001',
    questions: [
      {
        header: 'Database',
        question: 'Which database should the price lists go into?',
        options: [
          { label: 'SQLite', description: 'one file, nothing to run' },
          { label: 'PostgreSQL', description: 'a server that several machines can share' },
        ],
        allowOther: true,
      },
    ],
  },
  codex: {
    kind: 'approval',
    agent: { name: 'codex', cwd },
    session: '01a1e2c5-c0c7-75b1-84c9-237346a20a2e',
    call: { session: '01a1e2c5-c0c7-75b1-84c9-237346a20a2e', id: 'call_7' },
    action: { tool: 'Bash', input: { command: 'git push --force origin main' }, cwd },
  },
  opencode: {
    kind: 'approval',
    agent: { name: 'opencode', cwd },
    session: 'ses_5e1d2f0c1ffeAbCdEfGh12',
    call: { session: 'ses_5e1d2f0c1ffeAbCdEfGh12', id: 'call_2' },
    action: { tool: 'bash', input: { command: 'npm publish --access public', description: 'Publish 2.4.0' }, cwd },
  },
  gemini: {
    agent: { name: 'gemini', cwd },
    session: '21638:3729746',
    questions: [
      { question: 'The tests of the importer fail. Fix them, or skip them for now?', options: ['fix', 'skip'] },
    ],
  },
  frameworks: {
    kind: 'approval',
    agent: { name: 'langgraph', cwd },
    session: 'order-4711',
    action: { tool: 'refund', input: { order: 4711, amount: '129.00 EUR', reason: 'arrived broken' }, cwd },
  },
  askpass: {
    kind: 'dependency',
    agent: { name: 'claude-code', cwd },
    session: '3f2a9c10-4b1d-4e2f-9a55-0d6c1f7be001',
    type: 'password',
    name: '[sudo] password for deploy',
    description: 'Asked by sudo (process 4242, started by claude).',
  },
}

mkdirSync(folder, { recursive: true })
const site = await openSite()
try {
  for (const [name, input] of Object.entries(requests)) {
    const { id } = await site.hub.raise(input)
    const page = await site.visit({ path: `/requests/${id}` })
    // Narrow, so that the request has the page to itself.
    await page.setViewportSize({ width, height: 1_200 })
    await page.locator('.request-head').waitFor()
    await sleep(500)
    const box = await page.locator('.request-main').boundingBox()
    const height = Math.min(560, Math.ceil(box?.height ?? 400) + 24)
    await page.screenshot({
      path: join(folder, `${name}.png`),
      clip: { x: 0, y: Math.max(0, (box?.y ?? 0) - 12), width, height },
    })
    if (page.notices.bad.length > 0) console.log(name, page.notices.bad)
    await page.context().close()
  }
  const page = await site.visit()
  await page.locator('.row').nth(3).waitFor()
  await sleep(500)
  await page.screenshot({ path: join(folder, 'sessions.png'), clip: { x: 0, y: 0, width: 700, height: 620 } })
} finally {
  await site.close()
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openHouse, type Visit } from './house.ts'
import { apiKey, batch, database, destroyAll, forcePush, install, previews, review } from './samples.ts'

// The pictures of docs/: node test/web/screenshots.ts [folder]. Needs `npm run build` before.
for (const name of ['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'OPENCODE', 'GEMINI_CLI', 'AI_AGENT']) {
  delete process.env[name]
}
const folder = process.argv[2] ?? join(import.meta.dirname, '../../docs/images')
mkdirSync(folder, { recursive: true })
const house = await openHouse()
try {
  await fill()
} finally {
  await house.close()
}

async function fill() {
  const { hub } = house
  const run = await hub.startRun({ name: 'nightly import', command: ['python3', 'import.py'], cwd: '/srv/shop' })
  const old = await hub.raise({
    questions: [{ header: 'Ship', question: 'Ship version 2.4 today?', options: ['yes', 'no'] }],
  })
  await hub.answer(old.id, { value: 'yes', by: 'mina', channel: 'web', note: 'After lunch, please.' })
  await hub.confirmDelivery(old.id)
  const ids = {
    install: (await hub.raise(install)).id,
    review: (await hub.raise(review)).id,
    previews: (await hub.raise(previews)).id,
    secret: (await hub.raise({ ...apiKey, run: run.id })).id,
    batch: (await hub.raise({ ...batch, run: run.id })).id,
    question: (await hub.raise({ ...database, run: run.id })).id,
    danger: (await hub.raise(forcePush)).id,
    critical: (await hub.raise(destroyAll)).id,
  }
  for (const colours of ['light', 'dark'] as const) {
    for (const size of ['laptop', 'phone'] as const) {
      const look = { colours, size }
      await shoot('inbox', { ...look, path: '/' })
      for (const [name, id] of Object.entries(ids)) await shoot(name, { ...look, path: `/requests/${id}` })
      await shoot('settled', { ...look, path: `/requests/${old.id}` })
      await shoot('runs', { ...look, path: '/runs' })
      await shoot('run', { ...look, path: `/runs/${run.id}` })
      await shoot('history', { ...look, path: '/history' })
      await shoot('settings', { ...look, path: '/settings' })
    }
  }
}

async function shoot(name: string, look: Visit) {
  const page = await house.visit(look)
  await page.waitForLoadState('load')
  await page.waitForTimeout(350)
  await page.screenshot({ path: join(folder, `${name}-${look.size}-${look.colours}.png`) })
  if (page.notices.bad.length > 0) console.log(name, page.notices.bad)
  await page.context().close()
}

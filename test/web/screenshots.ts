import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runFolder } from '../../src/supervisor/folder.ts'
import { openLogWriter } from '../../src/supervisor/log-writer.ts'
import { openHouse, type Visit } from './house.ts'
import { apiKey, batch, database, destroyAll, forcePush, install, previews, review } from './samples.ts'

// Takes the pictures of docs/, from a real inbox: npm run build && node test/web/screenshots.ts. With a folder as
// argument it takes one of every page there, to be looked at.
for (const name of ['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'OPENCODE', 'GEMINI_CLI', 'AI_AGENT']) {
  delete process.env[name]
}

const everyPage = process.argv[2]
const folder = everyPage ?? join(import.meta.dirname, '../../docs/images')
const log = [
  '\x1b[1mimport\x1b[0m of 14 price lists',
  ...[...Array(12).keys()].map(
    i => `\x1b[32m✓\x1b[0m list-${String(i + 1).padStart(2, '0')}.csv  ${i * 731 + 88} rows`,
  ),
  '\x1b[33m! list-13.xlsx\x1b[0m has two sheets, the first is taken',
  '\x1b[36m→\x1b[0m 41,207 rows to store; asking where',
]

mkdirSync(folder, { recursive: true })
const house = await openHouse()
try {
  const pages = await fill()
  for (const colours of ['light', 'dark'] as const) {
    for (const size of ['laptop', 'phone'] as const) {
      for (const [name, path] of Object.entries(pages)) {
        if (everyPage) await shoot(`${name}-${size}-${colours}`, { colours, size, path })
      }
    }
    if (everyPage) continue
    await shoot(`inbox-${colours}`, { colours, path: pages.question })
    await shoot(`approval-${colours}`, { colours, path: pages.danger })
    await shoot(`run-${colours}`, { colours, path: pages.run })
    for (const name of ['inbox', 'question', 'critical'] as const) {
      await shoot(`phone-${name}-${colours}`, { colours, size: 'phone', path: pages[name] })
    }
  }
} finally {
  await house.close()
}

async function fill() {
  const { hub } = house
  const run = await hub.startRun({
    name: 'nightly import',
    command: ['python3', 'import.py', '--all'],
    cwd: '/srv/shop',
    host: 'build-1',
  })
  const writer = await openLogWriter(runFolder(house.env.BECKON_HOME, run.id).log)
  for (const line of log) writer.write('out', Buffer.from(`${line}\n`))
  writer.write('err', Buffer.from('list-14.csv: row 88 has no price\n'))
  await writer.close()
  const old = await hub.raise({
    questions: [{ header: 'Ship', question: 'Ship version 2.4 today?', options: ['yes', 'no'] }],
  })
  await hub.answer(old.id, { value: 'yes', by: 'mina', channel: 'web', note: 'After lunch, please.' })
  await hub.confirmDelivery(old.id)
  const asked = async (input: Parameters<typeof hub.raise>[0]) => `/requests/${(await hub.raise(input)).id}`
  return {
    inbox: '/',
    install: await asked(install),
    review: await asked(review),
    previews: await asked(previews),
    secret: await asked({ ...apiKey, run: run.id }),
    batch: await asked({ ...batch, run: run.id }),
    question: await asked({ ...database, run: run.id }),
    danger: await asked(forcePush),
    critical: await asked(destroyAll),
    settled: `/requests/${old.id}`,
    runs: '/runs',
    run: `/runs/${run.id}`,
    history: '/history',
    settings: '/settings',
  }
}

async function shoot(name: string, look: Visit) {
  const page = await house.visit(look)
  await page.waitForLoadState('load')
  await sleep(500)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  if (page.notices.bad.length > 0) console.log(name, page.notices.bad)
  await page.context().close()
}

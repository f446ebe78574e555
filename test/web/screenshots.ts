import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runFolder } from '../../src/supervisor/folder.ts'
import { openLogWriter } from '../../src/supervisor/log/writer.ts'
import { openSite, type Visit } from './fixture.ts'
import { apiKey, batch, database, destroyAll, forcePush, install, previews, review, stash } from './samples.ts'

// Takes the pictures for docs/ from a real inbox, after npm run build: node scripts/in-clean-session.mjs node
// test/web/screenshots.ts. Given a folder, it puts a picture of every page there instead.

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
const site = await openSite()
try {
  const pages = await fill()
  for (const colours of ['light', 'dark'] as const) {
    for (const size of ['laptop', 'phone'] as const) {
      for (const [name, path] of Object.entries(pages)) {
        if (everyPage) await shoot(`${name}-${size}-${colours}`, { colours, size, path })
      }
    }
    if (everyPage) {
      await shootEdit(`edit-laptop-${colours}`, { colours, path: pages.danger })
      await shootEdit(`edit-phone-${colours}`, { colours, size: 'phone', path: pages.danger })
      continue
    }
    await shoot(`inbox-${colours}`, { colours, path: pages.question })
    await shoot(`approval-${colours}`, { colours, path: pages.danger })
    await shoot(`run-${colours}`, { colours, path: pages.run })
    for (const name of ['inbox', 'question', 'critical'] as const) {
      await shoot(`phone-${name}-${colours}`, { colours, size: 'phone', path: pages[name] })
    }
  }
} finally {
  await site.close()
}

async function fill() {
  const { hub } = site
  const run = await hub.runs.start({
    name: 'nightly import',
    command: ['python3', 'import.py', '--all'],
    cwd: '/srv/shop',
    host: 'build-1',
  })
  const writer = await openLogWriter(runFolder(site.env.BECKON_HOME, run.id).log)
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
    ...(everyPage ? await rareCases() : {}),
    runs: '/runs',
    run: `/runs/${run.id}`,
    history: '/history',
    settings: '/settings',
  }
}

/** Rare cases that must look right too. */
async function rareCases() {
  const asked = async (input: Parameters<typeof site.hub.raise>[0]) => `/requests/${(await site.hub.raise(input)).id}`
  const long = `docker run --rm -v "$PWD":/app -e ${'LONG_NAME_OF_A_VARIABLE='.repeat(3)}x node:24 sh -c 'rm -rf /app/build && npm ci && npm run build -- --mode production' && rm -rf /srv/${'deep/'.repeat(30)}`
  return {
    always: await asked(stash),
    file: await asked({ kind: 'dependency', type: 'file', name: 'SCHEMA', description: 'Of the price tables.' }),
    cjk: await asked({
      context:
        '가격표를 어디에 보관할지 정해야 합니다. **한 대의 컴퓨터**에서 시작하지만 내년에는 세 대가 될 수 있습니다.\n\n- 약 2백만 행\n- 매일 밤 갱신\n\n数据库需要每天备份，并且要能在十分钟内恢复。请在下面选择一种方案。',
      questions: [
        {
          header: '데이터베이스',
          question: '가격표를 보관할 데이터베이스로 무엇을 쓸까요? 请选择一种数据库来保存价格表。',
          options: [
            { label: '포스트그레스큐엘', description: '여러 대의 컴퓨터가 함께 쓸 수 있지만 돌보아야 합니다.' },
            { label: '轻量数据库', description: '只有一个文件，无需运行任何服务。' },
          ],
          allowOther: true,
        },
      ],
    }),
    rtl: await asked({
      context: 'قائمة الأسعار تحتاج إلى مكان للحفظ:\n\n- جهاز واحد الآن\n- مليونا صف\n\n> اقتباس قصير',
      questions: [
        {
          header: 'قاعدة البيانات',
          question: 'أي قاعدة بيانات نستخدم؟',
          options: [{ label: 'PostgreSQL', description: 'خادم يمكن لعدة أجهزة مشاركته.' }, 'SQLite'],
        },
      ],
    }),
    long: await asked({
      kind: 'approval',
      action: {
        command: long,
        cwd: '/srv/shop',
        digest: 'x',
        severity: 'high',
        reasons: [
          {
            rule: 'fs/delete',
            message: 'deletes what is outside of the workspace',
            span: [long.lastIndexOf('rm -rf'), long.length],
          },
        ],
        safer: null,
      },
    }),
    tall: await asked({
      context: 'A paragraph that goes on for a while, as agents write them. '.repeat(120),
      questions: [{ question: 'Go on?', options: ['yes', 'no'] }],
    }),
  }
}

async function shootEdit(name: string, look: Visit) {
  const page = await site.visit(look)
  await page.getByRole('button', { name: 'Use this instead…' }).click()
  await page.locator('.edit-command .reasons').waitFor()
  await page.locator('.edit-command').scrollIntoViewIfNeeded()
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.context().close()
}

async function shoot(name: string, look: Visit) {
  const page = await site.visit(look)
  await page.waitForLoadState('load')
  await sleep(500)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  if (page.notices.bad.length > 0) console.log(name, page.notices.bad)
  await page.context().close()
}

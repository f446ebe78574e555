import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookSettings } from './claude-hooks.ts'
import { createAgentSandbox, until } from './harness.ts'

const questions = [
  { question: 'Which database?', header: 'DB', multiSelect: false, options: options('SQLite', 'PostgreSQL') },
  { question: 'Which database? (for tests)', header: 'Tests', multiSelect: false, options: options('SQLite', 'none') },
  { question: '어느 지역에 배포할까요?', header: '지역', multiSelect: true, options: options('서울', '도쿄', '부산') },
]

describe('Claude in a terminal with the hooks', () => {
  it('races the dialog with the hub: the first answer wins, and nothing stays open', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent('claude')
    const claude = await agent.open({
      prompt: 'Work',
      config: hookSettings(sandbox.home),
      turns: [
        ({ shell }) => shell('git push --force; echo hub >> ran'),
        ({ tool }) => tool('AskUserQuestion', { questions }),
        ({ shell }) => shell('git push --force; echo terminal >> ran'),
        ({ shell }) => shell('git push --force; echo esc >> ran'),
        ({ shell }) => shell('git push --force; echo no >> ran'),
        () => ({ text: 'Finished at last.' }),
      ],
    })

    const permission = await sandbox.pending('echo hub')
    await claude.shows(/Do you want to proceed/)
    await sandbox.answer(permission.id, 'yes')

    const question = await sandbox.pending('어느 지역')
    await claude.shows('Which database?')
    await sandbox.hub.answer(question.id, {
      answers: [
        { id: 'q1', value: 'PostgreSQL' },
        { id: 'q2', text: 'DuckDB, in memory' },
        { id: 'q3', value: ['서울', '부산'] },
      ],
    })

    const yes = await sandbox.pending('echo terminal')
    const heard = claude.results().at(-1)
    expect(heard).toContain('"Which database?"="PostgreSQL"')
    expect(heard).toContain('"Which database? (for tests)"="DuckDB, in memory"')
    expect(heard).toContain('"어느 지역에 배포할까요?"="서울, 부산"')
    await claude.shows(/echo terminal[\s\S]*Do you want to proceed/)
    await press(yes.id, '1')

    const esc = await sandbox.pending('echo esc')
    await claude.shows(/echo esc[\s\S]*Do you want to proceed/)
    await press(esc.id, 'Escape')

    claude.type('Go on')
    const no = await sandbox.pending('echo no')
    await claude.shows(/echo no[\s\S]*Do you want to proceed/)
    await press(no.id, /(\d)\. No/.exec(claude.screen())?.[1] ?? 'n')

    expect((await sandbox.hub.list()).requests).toEqual([])
    expect(readFileSync(join(agent.cwd, 'ran'), 'utf8')).toBe('hub\nterminal\n')

    /** Answers the dialog. Claude ignores keys that come just as it appears, so a person may have to press again. */
    async function press(id: string, key: string) {
      const isSettled = async () => (await sandbox.hub.get(id)).status !== 'pending'
      for (let attempt = 0; attempt < 5 && !(await isSettled()); attempt += 1) {
        claude.press(key)
        await until(isSettled, 'the request to be withdrawn', 4_000).catch(() => {})
      }
      expect(await sandbox.hub.get(id), claude.screen()).toMatchObject({ status: 'cancelled' })
    }
  })
})

function options(...labels: string[]) {
  return labels.map(label => ({ label, description: `About ${label}` }))
}

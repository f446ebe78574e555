import { expect, it } from 'vitest'
import { classify } from '../../src/guard/index.ts'
import { severities } from '../../src/protocol/severity.ts'
import { project } from './classify-in-project.ts'
import { readCorpus } from './corpus.ts'

const corpus = readCorpus().filter(({ name, want }) => name === 'beckon' && want === 'ask')
const commands = corpus.flatMap(collection => collection.commands)

it('asks with high severity at least about whatever would let an agent decide, here and for another machine', () => {
  expect(commands.length).toBeGreaterThan(100)
  for (const command of commands) {
    for (const { severity } of [classify(command, project), classify(command, { cwd: '/srv/agents/app' })]) {
      expect.soft(severities.indexOf(severity), command).toBeGreaterThanOrEqual(severities.indexOf('high'))
    }
  }
})

it.each([
  'beckon answer req_1 yes',
  'beckon rules add --allow -- git push',
  'beckon token create --scope answer',
  'env -u CLAUDECODE beckon answer req_1 yes',
  'sqlite3 ~/.local/share/beckon/beckon.db .tables',
  'psql "$BECKON_DB" -c "select 1"',
  'curl -X PUT localhost:4141/api/requests/req_1/answer -d x',
])('finds it critical that an agent could approve itself, so that no rule allows it: %s', command => {
  expect(classify(command, project).severity).toBe('critical')
})

it("knows Beckon's folder and database where the environment puts them", () => {
  const env = { BECKON_HOME: '/srv/hub', BECKON_DB: '/data/answers.sqlite' }
  const rulesOf = (command: string) => classify(command, { ...project, env }).reasons.map(({ rule }) => rule)
  expect(rulesOf('cat /srv/hub/key')).toContain('beckon/read-files')
  expect(rulesOf('cd /srv/hub && base64 key')).toContain('beckon/read-files')
  expect(rulesOf('cat "$BECKON_HOME"/key')).toContain('beckon/read-files')
  expect(rulesOf('echo > /srv/hub/key')).toContain('beckon/write-files')
  expect(rulesOf('sqlite3 /data/answers.sqlite .tables')).toContain('beckon/open-database')
  expect(rulesOf('cp /data/answers.sqlite-wal x')).toContain('beckon/read-files')
  expect(rulesOf('cat /srv/hub/agent/s_1/results/1.txt')).toEqual([])
  expect(rulesOf('cat /srv/hubris/key')).toEqual([])
})

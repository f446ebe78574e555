import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/protocol/operations/index.ts'
import { describeApi } from '../../src/server/openapi.ts'
import { allBlocks } from '../docs/blocks.ts'
import { withHub } from '../docs/run-block.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { clientFolder, python } from './run-python.ts'

const run = promisify(execFile)
const client = join(clientFolder, 'beckon.py')

/** What mypy has to say, by file. */
async function checkTypes(files: Record<string, string>): Promise<string[]> {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'cache'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const settings = ['--strict', '--python-version', '3.9', '--no-error-summary', '--cache-dir', join(folder, 'cache')]
  const args = [...settings, client, ...Object.keys(files)]
  const checking = run('mypy', args, { cwd: folder, env: { ...process.env, MYPYPATH: clientFolder } })
  const { stdout } = await checking.catch((error: { stdout?: string }) => {
    if (error.stdout === undefined) throw new Error('mypy is needed: apt-get install mypy')
    return error as { stdout: string }
  })
  return stdout.split('\n').filter(line => / error: /.test(line))
}

it('the client and the programs of its page pass mypy --strict, and a wrong call does not', async () => {
  const blocks = allBlocks().filter(
    ({ language, at, unchecked }) => language === 'python' && at.includes('python.md') && !unchecked,
  )
  const programs = Object.fromEntries(blocks.map(({ text }, n) => [`block${n}.py`, `${withHub(text)}\n`]))
  const problems = await checkTypes({ ...programs, 'wrong.py': wrongCalls })
  expect(problems.filter(problem => !problem.startsWith('wrong.py'))).toEqual([])
  const wrongLines = problems.map(problem => Number(/^wrong\.py:(\d+)/.exec(problem)?.[1]))
  expect([...new Set(wrongLines)]).toEqual([3, 4, 5, 6])
})

const wrongCalls = `from beckon import Hub
hub = Hub()
hub.ask("Ship it?", option=["yes"])
hub.need("api-key", "KEY", "for a test")
hub.ask("Ship it?").stauts
hub.ask("Ship it?", on_timeout="explode")
`

describe('the client speaks the API that is described', () => {
  // biome-ignore lint/suspicious/noExplicitAny: any document
  const api = describeApi(operations, '0', 'http://localhost') as any
  const { schemas } = api.components

  async function fromPython<T>(expression: string): Promise<T> {
    const program = `import beckon, json, re, typing\nprint(json.dumps(${expression}))`
    const env = { ...process.env, PYTHONPATH: clientFolder, PYTHONDONTWRITEBYTECODE: '1' }
    return JSON.parse((await run(python, ['-c', program], { env })).stdout) as T
  }

  it('every call is in it', async () => {
    const source = `open(${JSON.stringify(client)}).read()`
    const paths = await fromPython<string[]>(`re.findall(r'"(/api/[^"?]*)', ${source})`)
    const inner = await fromPython<string[]>(`re.findall(r'f"(/api/[^"?]*)', ${source})`)
    const known = Object.keys(api.paths).map(path => path.replaceAll(/\{\w+\}/g, 'ID'))
    const called = [...new Set([...paths, ...inner])].map(path =>
      path.replace('{query}', '').replaceAll(/\{[^}]*\}/g, 'ID'),
    )
    expect(called.length).toBeGreaterThan(4)
    // The last part of a settling call is its verb.
    for (const path of called) expect([...known, '/api/requests/ID/ID']).toContain(path)
  })

  it('its words are the same', async () => {
    const [question, dependency] = schemas.Request.oneOf ?? schemas.Request.anyOf
    const said = await fromPython<Record<string, string[]>>(
      '{name: list(typing.get_args(getattr(beckon, name))) for name in ("Status", "OnTimeout", "Kind", "DependencyType")}',
    )
    expect(said.Status).toEqual(question.properties.status.enum)
    expect(said.OnTimeout).toEqual(question.properties.onTimeout.enum)
    // A password is for programs that ask through beckon askpass.
    expect([...(said.DependencyType ?? []), 'password']).toEqual(dependency.properties.type.enum)
    const fields = await fromPython<string[]>('list(typing.get_type_hints(beckon.Request))')
    const described = new Set<string>()
    for (const kind of schemas.Request.oneOf ?? schemas.Request.anyOf)
      for (const name of Object.keys(kind.properties)) described.add(name)
    for (const field of fields) expect([...described]).toContain(field)
    const outcome = await fromPython<string[]>('list(typing.get_type_hints(beckon.OutcomeDocument))')
    const { properties } = question.properties.outcome.anyOf?.[0] ?? question.properties.outcome
    for (const field of outcome) expect(Object.keys(properties)).toContain(field)
  })
})

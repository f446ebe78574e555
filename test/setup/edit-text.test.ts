import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addContent, type Content, hasContent, removeContent } from '../../src/setup/text/content.ts'
import { applyEdits, revertEdits } from '../../src/setup/text/edit.ts'
import { type Json, parseJson } from '../../src/setup/text/json.ts'

const server = { command: '/usr/bin/node', args: ['/opt/beckon/bin/beckon.js', 'mcp'], env: { BECKON_HOME: '/h' } }
const hook = { matcher: 'Bash', hooks: [{ type: 'command', command: "beckon hook claude '$1'" }] }
const json: Content = {
  format: 'json',
  entries: [
    { path: ['mcpServers', 'beckon'], value: server, kind: 'property' },
    { path: ['hooks', 'PreToolUse'], value: hook, kind: 'element' },
  ],
}
const toml: Content = {
  format: 'toml',
  table: ['mcp_servers', 'beckon'],
  values: server,
  comment: 'Written by Beckon.',
}

describe('a JSON file', () => {
  it('gets our entries and nothing else, and is the same again without them, however it is written', () => {
    fc.assert(
      fc.property(documents(), ({ text, value }) => {
        const { edits } = addContent(text, json)
        const added = applyEdits(text, edits)
        expect(revertEdits(added, edits)).toBe(text)
        expect(parseJson(added)).toEqual(withOurs(value))
        expect(hasContent(added, json)).toBe(true)
        // Once is enough.
        expect(addContent(added, json).edits).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it('keeps what others changed meanwhile when our entries go', () => {
    fc.assert(
      fc.property(documents(), ({ text, value }) => {
        const addition = addContent(text, json)
        const rewritten = { ...(parseJson(applyEdits(text, addition.edits)) as Record<string, Json>), visits: 3 }
        const removed = removeContent(JSON.stringify(rewritten, null, 2), addition)
        expect('text' in removed && parseJson(removed.text)).toEqual({ ...value, visits: 3 })
      }),
    )
  })

  it.each([
    ['{}', '{\n  "mcpServers": {'],
    ['{ "a": 1 }', '{ "a": 1, "mcpServers": { "beckon": { "command"'],
    ['{"a":1}', '{"a":1,"mcpServers":{"beckon":{"command"'],
    ['{\n\t"a": 1 // why\n}', '{\n\t"a": 1, // why\n\t"mcpServers": {\n\t\t"beckon": {'],
    ['{\r\n    "a": 1,\r\n}\r\n', '{\r\n    "a": 1,\r\n    "mcpServers": {\r\n        "beckon": {'],
  ])('is edited in its own style: %j', (text, start) => {
    expect(applyEdits(text, addContent(text, json).edits)).toContain(start)
  })

  it.each([
    ['{ "mcpServers": { "beckon": { "command": "mine" } } }', 'mcpServers.beckon exists already'],
    ['{ "mcpServers": [] }', 'mcpServers is not an object'],
    ['{ "hooks": { "PreToolUse": {} } }', 'hooks.PreToolUse is not a list'],
    ['{ "a": 1,, }', 'line 1 is not valid JSON'],
    ['[]', 'the document is not an object'],
  ])('is refused where our entry has no place: %s', (text, reason) => {
    expect(() => addContent(text, json)).toThrow(reason)
  })
})

describe('a TOML file', () => {
  const texts = [
    '',
    '\uFEFF',
    'model = "x"',
    'model = "x"\r\n\r\n[a]\r\nb = 1\r\n',
    'text = """\n[mcp_servers.beckon]\n"""\nlist = [\n  "]", # ]\n  { a = 1 },\n]\n',
    "[mcp_servers.other]\ncommand = '''x'''\n[[list]]\n\"quoted key\".b = 2020-01-01 # end",
  ]

  it.each(texts)('gets one table at its end, and is the same again without it: %j', text => {
    const addition = addContent(text, toml)
    const added = applyEdits(text, addition.edits)
    expect(added.startsWith(text)).toBe(true)
    expect(added).toContain('[mcp_servers.beckon]')
    expect(revertEdits(added, addition.edits)).toBe(text)
    expect(hasContent(added, toml)).toBe(true)
    expect(removeContent(`${added}[later]\n`, addition)).toEqual({ text: `${text}[later]\n` })
    expect(removeContent(added.replace('/h', '/other'), addition)).toEqual({ changed: 'mcp_servers.beckon' })
  })

  it.each([
    ['[mcp_servers.beckon]\ncommand = "mine"', 'mcp_servers.beckon exists already'],
    ['[mcp_servers."beckon".env]', 'mcp_servers.beckon exists already'],
    ['mcp_servers.beckon.command = "mine"', 'mcp_servers.beckon exists already'],
    ['[mcp_servers]\nbeckon = { command = "mine" }', 'mcp_servers.beckon exists already'],
    ['mcp_servers = { other = { command = "x" } }', 'mcp_servers is written in one line'],
    ['a = "open\nb = 1', 'line 1 is not valid TOML'],
    ['a = [1,\n2', 'line 1 is not valid TOML'],
    ['ok = 1\nnot toml', 'line 2 is not valid TOML'],
  ])('is refused where our table has no place: %j', (text, reason) => {
    expect(() => addContent(text, toml)).toThrow(reason)
  })
})

function withOurs(value: Record<string, Json> | undefined): Json {
  const { mcpServers = {}, hooks = {}, ...rest } = (value ?? {}) as Record<string, Record<string, Json>>
  const before = (hooks.PreToolUse ?? []) as Json[]
  return { ...rest, mcpServers: { ...mcpServers, beckon: server }, hooks: { ...hooks, PreToolUse: [...before, hook] } }
}

/** Settings as people write them: indented, minified or in one line, with comments, commas, CRLF, a BOM, no last newline. */
function documents() {
  const other = fc.jsonValue({ maxDepth: 2 }).map(value => JSON.parse(JSON.stringify(value)) as Json)
  const named = fc.dictionary(fc.constantFrom('a', 'b', 'é', 'x y', '//'), other, { maxKeys: 3, noNullPrototype: true })
  const settings = fc.record(
    {
      theme: other,
      mcpServers: named,
      hooks: fc.record(
        { PreToolUse: fc.array(other, { maxLength: 2 }), Stop: fc.array(other, { maxLength: 1 }) },
        { requiredKeys: [] },
      ),
      last: other,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  const style = fc.record({
    indent: fc.constantFrom('', '  ', '    ', '\t', ' '),
    comments: fc.constantFrom('', ' // note', ' /* note */'),
    trailingComma: fc.boolean(),
    crlf: fc.boolean(),
    bom: fc.boolean(),
    end: fc.constantFrom('', '\n', '\n\n  '),
    empty: fc.boolean(),
  })
  return fc.tuple(settings, style).map(([value, style]) => {
    if (style.empty && Object.keys(value).length === 0)
      return { text: style.bom ? '\uFEFF' : style.end, value: undefined }
    return { text: write(value as Json, style), value: value as Record<string, Json> }
  })
}

interface Style {
  indent: string
  comments: string
  trailingComma: boolean
  crlf: boolean
  bom: boolean
  end: string
}

function write(value: Json, { indent, comments, trailingComma, crlf, bom, end }: Style): string {
  let text = JSON.stringify(value, null, indent)
  if (indent !== '') {
    // Comments and commas stand at the ends of lines, where no string can be: JSON escapes its newlines.
    if (comments) text = text.replaceAll('\n', `${comments}\n`)
    if (trailingComma) text = text.replaceAll(/([^,[{\s])((?: \/\/ note| \/\* note \*\/)?\n\s*[\]}])/g, '$1,$2')
  }
  text += end
  return (bom ? '\uFEFF' : '') + (crlf ? text.replaceAll('\n', '\r\n') : text)
}

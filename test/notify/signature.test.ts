import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testMessage } from '../../src/notify/message.ts'
import { buildWebhook } from '../../src/notify/webhook.ts'
import { temporaryFolder } from '../setup/databases.ts'

const docs = readFileSync(join(import.meta.dirname, '../../docs/notifications.md'), 'utf8')

/** The code of the page itself: what is written there must work. */
function codeBlock(language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(docs)?.[1] ?? ''
}

const languages = {
  python: {
    program: 'python3',
    file: 'check.py',
    code: `${codeBlock('python')}
import sys
print("yes" if is_genuine(sys.argv[1], sys.argv[2], sys.stdin.buffer.read()) else "no")`,
  },
  js: {
    program: process.execPath,
    file: 'check.mjs',
    code: `${codeBlock('js')}
import { readFileSync } from 'node:fs'
console.log(isGenuine(process.argv[2], process.argv[3], readFileSync(0)) ? 'yes' : 'no')`,
  },
}

it.each(Object.entries(languages))(
  'signs webhooks so that the %s example in the docs accepts them',
  (_, { program, file, code }) => {
    const path = join(temporaryFolder(), file)
    writeFileSync(path, code)
    const check = (secret: string, signature: string, body: string) =>
      spawnSync(program, [path, secret, signature], { input: body, encoding: 'utf8' }).stdout.trim()
    const message = testMessage('m', 0, { inbox: 'https://beckon.example/배포', host: 'devbox' })
    const pack = (now: number) => {
      const { headers, body } = buildWebhook({ url: '', secret: 's3cret' }, message, now)
      return { signature: headers['x-beckon-signature'] ?? '', body: String(body) }
    }
    const { signature, body } = pack(Date.now())
    expect(check('s3cret', signature, body)).toBe('yes')
    expect(check('other', signature, body)).toBe('no')
    expect(check('s3cret', signature, `${body} `)).toBe('no')
    expect(check('s3cret', signature.replace(/t=\d/, 't=9'), body)).toBe('no')
    expect(check('s3cret', 'nonsense', body)).toBe('no')
    const old = pack(Date.now() - 3_600_000)
    expect(check('s3cret', old.signature, old.body)).toBe('no')
  },
)

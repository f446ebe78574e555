import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openHub } from '../../src/index.ts'
import { createSandbox } from '../cli/sandbox.ts'
import { gif, png } from '../setup/pictures.ts'
import { connectStdio } from './mcp-client.ts'

const ask = { questions: [{ question: 'Right?', options: ['yes', 'no'] }], async: true }

it('attaches files of the working directory, and no others, wherever links lead', async () => {
  const sandbox = await createSandbox()
  const { call, refusal } = await connectStdio(sandbox)
  writeFileSync(join(sandbox.cwd, 'shot.png'), png(4, 3))
  symlinkSync('/etc/hostname', join(sandbox.cwd, 'link.png'))
  const { id } = await call('ask', { ...ask, attachments: ['shot.png'] })
  expect((await sandbox.hub.get(id)).attachments).toMatchObject([{ name: 'shot.png', type: 'image/png', width: 4 }])
  for (const path of ['/etc/hostname', 'link.png', '../../../../../../etc/hostname', '/']) {
    expect(JSON.stringify(await refusal('ask', { ...ask, attachments: [path] }))).toContain(
      'is outside of the working directory and the temporary folder',
    )
  }
})

it('takes paths and bytes from a program', async () => {
  const { env, cwd } = await createSandbox()
  writeFileSync(join(cwd, 'shot.png'), png(4, 3))
  const hub = await openHub({ env, caller: { directory: cwd } })
  try {
    const { attachments } = await hub.raise({
      questions: [{ question: 'Right?' }],
      attachments: ['shot.png', { name: 'a.gif', data: gif }, join(cwd, 'shot.png')],
    })
    expect(attachments.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'shot.png image/png',
      'a.gif image/gif',
      'shot.png image/png',
    ])
    await expect(hub.ask({ questions: [{ question: 'Right?' }], attachments: ['none.png'] })).rejects.toMatchObject({
      code: 'invalid',
      message: 'attachments[0]: "none.png" does not exist',
    })
  } finally {
    await hub.close()
  }
})

import { expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'
import { gif, html, png, svg } from '../setup/pictures.ts'
import { type CallOptions, call, signIn, startServer } from './test-server.ts'

const shot = png(40, 30)
const question = { questions: [{ question: 'Right?', options: ['yes', 'no'] }] }

async function start() {
  const server = await startServer(`${temporaryFolder()}/beckon.db`)
  const asker = await server.token('ask', { name: 'asker' })
  const other = await server.token('ask', { name: 'other' })
  const person = await server.token('answer')
  const ask = (...files: [name: string, data: Buffer][]) =>
    call(server, 'POST', '/api/requests', {
      token: asker,
      body: { ...question, attachments: files.map(([name, data]) => ({ name, data: data.toString('base64') })) },
    })
  return { server, asker, other, person, ask }
}

it('gives the files of a request to people and to its asker, and to nobody else', async () => {
  const { server, asker, other, person, ask } = await start()
  const { json: request, status } = await ask(['shot.png', shot])
  expect(status).toBe(201)
  const list = `/api/requests/${request.id}/attachments`
  const file = `${list}/${request.attachments[0].id}`
  const octets = { 'content-type': 'application/octet-stream' }
  for (const token of [asker, person]) {
    expect((await call(server, 'GET', list, { token })).json).toEqual({ attachments: request.attachments })
    expect((await call(server, 'GET', file, { token })).status).toBe(200)
  }
  for (const path of [list, file]) {
    expect((await call(server, 'GET', path)).status).toBe(401)
    expect((await call(server, 'GET', path, { token: other })).status).toBe(404)
  }
  const add = (options: CallOptions) => call(server, 'POST', `${list}?name=more.txt`, { headers: octets, ...options })
  expect((await add({ token: other, body: 'more' })).status).toBe(404)
  expect((await add({ token: asker, body: 'more' })).json.attachments).toHaveLength(2)
  // An address alone opens nothing, even in a browser that is signed in: another server on this host gets the cookie, too.
  const cookie = await signIn(server)
  expect((await call(server, 'GET', file, { headers: { cookie } })).status).toBe(200)
  expect((await call(server, 'GET', file, { headers: { cookie, 'beckon-page': undefined } })).status).toBe(401)
})

it('serves a picture as what it is and everything else as a download that can do nothing', async () => {
  const { server, person, ask } = await start()
  const names = ['shot.png', 'page.html', 'logo.svg', '\u202egnp.\r"; x=\u0001 ../résumé.exe']
  const { json: request } = await ask(
    ...[shot, html, svg, Buffer.from('MZ\0')].map((data, i): [string, Buffer] => [
      (names[i] ?? '').replace('\r', ''),
      data,
    ]),
  )
  const replies = await Promise.all(
    request.attachments.map(({ id }: { id: string }) =>
      call(server, 'GET', `/api/requests/${request.id}/attachments/${id}`, { token: person }),
    ),
  )
  const headers = replies.map(({ headers }) => headers)
  expect(headers[0]).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename="shot.png"; filename*=UTF-8''shot.png`,
    'content-length': String(shot.length),
    etag: `"${request.attachments[0].hash}"`,
  })
  for (const download of headers.slice(1)) {
    expect(download).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[\w .()+-]+"; filename\*=UTF-8''[\w.%~!-]+$/,
      ),
    })
  }
  expect(headers[3]?.['content-disposition']).toContain(`filename*=UTF-8''r%C3%A9sum%C3%A9.exe`)
  for (const one of headers) {
    expect(one).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=31536000, immutable',
      'repr-digest': expect.stringMatching(/^sha-256=:[\w+/]+=*:$/),
    })
  }
  expect(replies[2]?.text).toBe(svg.toString())
})

it('sends a file that the caller has already as 304, and only to those who may see it', async () => {
  const { server, other, person, ask } = await start()
  const { json: request } = await ask(['a.gif', gif])
  const [{ id, hash }] = request.attachments
  const path = `/api/requests/${request.id}/attachments/${id}`
  const get = (token: string, tag: string) => call(server, 'GET', path, { token, headers: { 'if-none-match': tag } })
  expect(await get(person, `W/"${hash}"`)).toMatchObject({ status: 304, text: '' })
  expect(await get(person, `"x", "${hash}"`)).toMatchObject({ status: 304 })
  expect(await get(person, '"other"')).toMatchObject({ status: 200 })
  expect(await get(other, `"${hash}"`)).toMatchObject({ status: 404 })
  expect((await call(server, 'HEAD', path, { token: person })).headers['content-length']).toBe(String(gif.length))
})

it('takes larger bodies where files are sent, and nowhere else', async () => {
  const { server, asker, person, ask } = await start()
  const largest = Buffer.alloc(5 * 1_048_576, 7)
  const { json: request, status } = await ask(
    ['one.bin', largest],
    ['two.bin', Buffer.concat([largest.subarray(1), gif.subarray(0, 1)])],
  )
  expect(status).toBe(201)
  const body = 'x'.repeat(9 * 1_048_576)
  const answer = await call(server, 'PUT', `/api/requests/${request.id}/answer`, {
    token: person,
    body: { value: body },
  })
  expect(answer.status).toBe(413)
  const tooLong = await call(server, 'POST', '/api/requests', { token: asker, body: { context: body + body + body } })
  expect(tooLong).toMatchObject({ status: 413, json: { error: { code: 'too_large' } } })
  const { json: small } = await ask()
  const path = `/api/requests/${small.id}/attachments?name=log`
  const octets = { 'content-type': 'application/octet-stream' }
  const tooLarge = 'x'.repeat(5 * 1_048_576 + 1)
  expect((await call(server, 'POST', path, { token: asker, body: tooLarge, headers: octets })).status).toBe(413)
  // The length is not announced: it is counted.
  const streamed = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${asker}`, ...octets },
    body: new Blob([tooLarge]).stream(),
    duplex: 'half',
  } as RequestInit).catch(() => null)
  expect(streamed?.status ?? 413).toBe(413)
  expect((await call(server, 'POST', path, { token: asker, body: '{}' })).status).toBe(415)
  expect((await call(server, 'POST', path, { token: asker, body: '', headers: octets })).status).toBe(422)
  expect((await call(server, 'GET', `/api/requests/${small.id}`, { token: asker })).json.attachments).toEqual([])
})

it('reads no file of its own machine: a path is not a file', async () => {
  const { server, asker } = await start()
  const send = (attachments: unknown) =>
    call(server, 'POST', '/api/requests', { token: asker, body: { ...question, attachments } })
  for (const wrong of [
    ['/etc/passwd'],
    [{ path: '/etc/passwd' }],
    [{ name: 'a', data: '/etc/passwd!' }],
    'a.png',
    [{ name: 'a', data: 5 }],
  ]) {
    expect(await send(wrong)).toMatchObject({ status: 422, json: { error: { code: 'invalid' } } })
  }
})

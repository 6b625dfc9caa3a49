import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStateAt } from '../../api/state/open.ts'
import { buildApp } from '../../bin/service/app.ts'
import { indexAirports } from '../../config/airports/directory.ts'
import { readSettings } from '../../config/settings.ts'

let app: Awaited<ReturnType<typeof buildApp>>
let port: number
beforeAll(async () => {
  const state = await openStateAt(':memory:', 'a pepper for this test')
  app = await buildApp({
    settings: readSettings({}),
    state,
    directory: indexAirports([]),
    holder: { current: () => null },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as { port: number }).port
})
afterAll(() => app.close())

/** Sends bytes and returns everything that is answered until the server closes the connection. */
const exchange = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    let answer = ''
    socket.setTimeout(3_000, () => {
      socket.destroy()
      reject(new Error(`no end of the answer to ${JSON.stringify(bytes.slice(0, 80))}: ${answer.slice(0, 200)}`))
    })
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
  })
const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

const HOST = 'Host: 127.0.0.1\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const REFUSED: [string, string][] = [
  [
    'an identity coding and a body',
    `POST /api/agent/register HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: identity\r\n\r\n{"agent_name":"x"}`,
  ],
  [
    'an identity coding and a second request',
    `POST /mcp HTTP/1.1\r\n${HOST}Transfer-Encoding: identity\r\n\r\nGET /health HTTP/1.1\r\n${HOST}\r\n`,
  ],
  ['an unknown coding', `POST /api/agent/register HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: gzip\r\n\r\n{}`],
  [
    'two codings',
    `POST /api/agent/register HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'length and coding',
    `POST /api/agent/register HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
  ],
  [
    'two lengths',
    `POST /api/agent/register HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
  ],
  ['no Host', 'GET /health HTTP/1.1\r\n\r\n'],
  ['two Hosts', `GET /health HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
  ['an unknown expectation', `GET /health HTTP/1.1\r\n${HOST}Expect: x\r\n\r\n`],
  [
    'an unknown expectation with a body',
    `POST /api/agent/register HTTP/1.1\r\n${HOST}${JSON_TYPE}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'a broken chunk',
    `POST /api/agent/register HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ],
  ['a broken header', `GET /health HTTP/1.1\r\n${HOST}A B: c\r\n\r\n`],
  ['a line that ends by CR alone', `GET / HTTP/1.1\r\n${HOST}X-Request-Id: a\rSet-Cookie: b\r\n\r\n`],
  ['no HTTP', 'hello\r\n\r\n'],
  ['a long header', `GET /health HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`],
]

test('a request that could be read in two ways gets one answer, 400 with a problem, and the connection ends', async () => {
  for (const [name, bytes] of REFUSED) {
    const answer = await exchange(bytes)
    expect(statusesOf(answer), `${name}: ${answer}`).toEqual([400])
    expect(answer, name).toMatch(/content-type: application\/problem\+json/i)
    expect(answer, name).toContain('"code":"INVALID_PARAMETER"')
    expect(answer, name).toMatch(/x-request-id: \S+/i)
    expect(answer, name).toMatch(/connection: close/i)
    expect(answer, name).not.toContain('Set-Cookie')
    if (name === 'a long header') expect(answer).toContain('larger than 16 KiB')
  }
})

test('a refused HEAD has no body', async () => {
  for (const bytes of [
    `HEAD /health HTTP/1.1\r\n${HOST}A B: c\r\n\r\n`,
    `HEAD /%zz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    'HEAD /health HTTP/1.1\r\n\r\n',
    `HEAD /health HTTP/1.1\r\n${HOST}Expect: x\r\n\r\n`,
  ]) {
    const answer = await exchange(bytes)
    expect(statusesOf(answer), bytes).toEqual([400])
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4), bytes).toBe('')
  }
})

test('a body that breaks after its request was answered gets no second answer', async () => {
  const answered = `POST /nowhere HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`
  expect(statusesOf(await exchange(answered))).toHaveLength(1)
})

test('requests in a row are answered in order, also before one that is no HTTP', async () => {
  const get = `GET /health HTTP/1.1\r\n${HOST}\r\n`
  expect(statusesOf(await exchange(`${get}${get}hello\r\n\r\n`))).toEqual([200, 200, 400])
  const last = `GET /health HTTP/1.0\r\n\r\n`
  expect(statusesOf(await exchange(last))).toEqual([200])
  const expecting = `POST /api/agent/register HTTP/1.1\r\n${HOST}${JSON_TYPE}Expect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`
  expect(statusesOf(await exchange(expecting))).toEqual([100, 201])
})

test.each(['GET *', 'HEAD *', 'POST *', 'GET *health', 'GET ftp://127.0.0.1/health'])(
  '%s is for no path: 400, and the connection ends',
  async (line) => {
    const answer = await exchange(`${line} HTTP/1.1\r\n${HOST}\r\n`)
    expect(statusesOf(answer)).toEqual([400])
    if (!line.startsWith('HEAD')) expect(answer).toContain('must be for a path that begins with /')
    expect(answer).toMatch(/connection: close/i)
  },
)

test('a URL of the web is its path', async () => {
  const answer = await exchange(`GET http://127.0.0.1/health HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
  expect(statusesOf(answer)).toEqual([200])
})

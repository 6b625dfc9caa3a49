import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextSlice, partsOf } from '../../answers/slices.ts'
import { hasMoreFields, hasMoreValues } from '../../api/rest/json-body.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { NOW, snapshotAt } from './example-snapshot.ts'
import { historyOf } from './fake-snapshot.ts'
import { shareHarness } from './harness.ts'

const { call, controls } = shareHarness()

test('one slice of all long work runs in each turn of the event loop, in the order of arrival', async () => {
  let turn = 0
  const turns: [string, number][] = []
  let isDone = false
  const count = async () => {
    while (!isDone) {
      await nextTurn()
      turn++
    }
  }
  const work = async (name: string) => {
    for (let slice = 0; slice < 3; slice++) {
      await nextSlice()
      turns.push([name, turn])
    }
  }
  const counting = count()
  await Promise.all([work('a'), work('b')])
  isDone = true
  await counting
  expect(turns.map(([name]) => name).join('')).toBe('ababab')
  expect(new Set(turns.map(([, turn]) => turn)).size).toBe(6)
})

test('parts of a list have at most so many entries, and all of them in order', () => {
  expect([...partsOf([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...partsOf([], 2)]).toEqual([])
})

test('a long history is answered in slices, the same over every transport and for callers at the same time', async () => {
  const starts = Array.from({ length: 30 * 24 }, (_, index) => NOW - (NOW % HOUR_MS) - (index + 1) * HOUR_MS).reverse()
  const wait = (start: number) => 50 + ((start / HOUR_MS) % 24) * 10
  controls.snapshot = snapshotAt(NOW, {
    history: [historyOf('JFK', starts, wait), historyOf('JFK', starts, wait, 'T4')],
  })
  const url = '/api/v1/airports/JFK/historical?days=30'
  let turns = 0
  let isDone = false
  const others = (async () => {
    while (!isDone) {
      await nextTurn()
      turns++
    }
  })()
  const [first, second, csv, packed] = await Promise.all([
    call('enterprise', url),
    call('enterprise', url),
    call('enterprise', url, { headers: { accept: 'text/csv' } }),
    call('enterprise', url, { headers: { 'accept-encoding': 'br' } }),
  ])
  isDone = true
  await others
  // Everything at once would be one turn or a few.
  expect(turns).toBeGreaterThan(15)
  expect(first.json().hours).toHaveLength(2 * starts.length)
  expect(first.body).toBe(JSON.stringify(first.json()))
  expect(second.body).toBe(first.body)
  expect(second.headers.etag).toBe(first.headers.etag)
  expect(packed.headers).toMatchObject({ 'content-encoding': 'br', etag: first.headers.etag })
  expect(csv.body.trimEnd().split('\r\n')).toHaveLength(1 + 2 * starts.length)
  expect(csv.body.match(/airport,terminal,time/g)).toHaveLength(1)
  expect((await call('enterprise', url, { headers: { 'if-none-match': first.headers.etag! } })).statusCode).toBe(304)
})

test('an input with more values than any operation reads is refused before they are looked at', async () => {
  const headers = { 'content-type': 'application/json' }
  const bulk = async (payload: string) => {
    const answer = await call('enterprise', '/api/v1/airports/bulk', { method: 'POST', headers, payload })
    return { status: answer.statusCode, errors: answer.json().errors as { parameter: string; message: string }[] }
  }
  const many = await bulk(JSON.stringify({ codes: Array.from({ length: 10_000 }, () => 'JFK') }))
  expect(many).toMatchObject({
    status: 400,
    errors: [{ parameter: 'codes', message: expect.stringContaining('2000') }],
  })
  const unknown = await bulk(
    `{"codes":["JFK"]${Array.from({ length: 1_500 }, (_, index) => `,"f${index}":0`).join('')}}`,
  )
  expect(unknown.status).toBe(400)
  expect(unknown.errors).toHaveLength(20)
  expect(unknown.errors[0]!.message).toContain('known: codes')
  expect(
    await bulk(`{"codes":["JFK"]${Array.from({ length: 3_000 }, (_, index) => `,"f${index}":0`).join('')}}`),
  ).toEqual({
    status: 400,
    errors: [{ parameter: 'body', message: 'must not have more than 2000 fields' }],
  })
  const deep = `${'['.repeat(60)}${']'.repeat(60)}`
  expect(await bulk(`{"codes":[${Array.from({ length: 1_000 }, () => deep).join(',')}]}`)).toMatchObject({
    status: 400,
  })
})

test('a body with more values than any request is refused before it is parsed, also by the MCP server', async () => {
  expect(hasMoreValues(2, '[1,2]')).toBe(false)
  expect(hasMoreValues(1, '[1,2]')).toBe(true)
  expect(hasMoreValues(1, '["a,b,[c\\",{"]')).toBe(false)
  expect(hasMoreFields(1, '{"a:":1,"b":":::"}')).toBe(true)
  expect(hasMoreFields(2, '{"a:":1,"b":":::"}')).toBe(false)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const payload = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_faa_delays","arguments":{"iata":[${'[],'.repeat(30_000)}0]}}}`
  for (const url of ['/api/v1/airports/bulk', '/mcp', '/api/agent/register']) {
    const answer = await call('enterprise', url, { method: 'POST', headers, payload })
    expect(answer.statusCode, url).toBe(400)
    expect(answer.body).toContain('must not have more than 24000 values')
  }
})

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FetchError } from '../../../config/errors.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { bytesOf, endless, openRawSite, type RawAnswer, type RawSite, sending, sendingBody } from '../raw-site.ts'
import { testSource } from '../test-source.ts'

const MAX_BYTES = 100_000
/** Time for an answer that never ends, and for one that does on a busy machine. */
const SHORT_MS = 250
const LONG_MS = 30_000

let site: RawSite
beforeAll(async () => {
  site = await openRawSite()
})
afterAll(() => site.close())

/** Fetches the page that a site answers so. */
async function fetched(answer: RawAnswer, timeout_ms = LONG_MS) {
  site.answer = answer
  const client = createHttpClient({
    version: '1',
    contact: 'x@example.org',
    retries: 0,
    allowed_networks: ['127.0.0.1'],
    timeout_ms,
    max_bytes: MAX_BYTES,
    sleep: async () => undefined,
  })
  const request = { url: `${site.url}/waits`, method: 'GET' as const, headers: {}, body: null, iata: null }
  const got = await client.fetch(request, testSource(), null)
  return new TextDecoder().decode(got.body)
}

const PAGE = 'checkpoint,minutes\n'.padEnd(2_000, 'A,12\n')
const redirect = (to: string) => sending('302 Found', [`Location: ${to}`, 'Content-Length: 0'])
const gzip = gzipSync(PAGE)
const flipped = Buffer.from(gzip.map((byte, index) => (index === gzip.length - 6 ? byte ^ 0xff : byte)))
const BOMB = gzipSync(Buffer.alloc(50_000_000))

describe('an answer of a hostile or broken site', () => {
  it.each<[string, RawAnswer, FetchError['code'], RegExp]>([
    ['a gzip bomb', sendingBody(BOMB, 'Content-Encoding: gzip'), 'FETCH_TOO_LARGE', /over 100000 bytes/],
    ['a bomb in a bomb', sendingBody(gzipSync(BOMB), 'Content-Encoding: gzip, gzip'), 'FETCH_TOO_LARGE', /over 100000/],
    [
      'a brotli bomb',
      sendingBody(brotliCompressSync(Buffer.alloc(5_000_000)), 'Content-Encoding: br'),
      'FETCH_TOO_LARGE',
      /over 100000/,
    ],
    [
      'a deflate bomb',
      sendingBody(deflateSync(Buffer.alloc(5_000_000)), 'Content-Encoding: deflate'),
      'FETCH_TOO_LARGE',
      /over 100000/,
    ],
    [
      'more codings than anybody uses',
      sendingBody(gzip, 'Content-Encoding: gzip,gzip,gzip,gzip'),
      'FETCH_FAILED',
      /4 times/,
    ],
    [
      'a coding that was not asked for',
      sendingBody(PAGE, 'Content-Encoding: zstd'),
      'FETCH_FAILED',
      /with zstd, which/,
    ],
    [
      'a page that is called gzip',
      sendingBody(PAGE, 'Content-Encoding: gzip'),
      'FETCH_FAILED',
      /incorrect header check/,
    ],
    [
      'gzip cut in the middle',
      sendingBody(gzip.subarray(0, -20), 'Content-Encoding: gzip'),
      'FETCH_FAILED',
      /no whole gzip/,
    ],
    [
      'gzip without its check',
      sendingBody(gzip.subarray(0, -8), 'Content-Encoding: gzip'),
      'FETCH_FAILED',
      /no whole gzip/,
    ],
    ['gzip with a wrong check', sendingBody(flipped, 'Content-Encoding: gzip'), 'FETCH_FAILED', /incorrect data check/],
    [
      'brotli cut in the middle',
      sendingBody(brotliCompressSync(PAGE).subarray(0, -5), 'Content-Encoding: br'),
      'FETCH_FAILED',
      /no whole br/,
    ],
    ['an endless body', endless(bytesOf('200 OK', []), 'x'.repeat(65_536)), 'FETCH_TOO_LARGE', /over 100000/],
    ['an endless drip', endless(bytesOf('200 OK', []), 'x', 20), 'FETCH_FAILED', /no answer within 250 ms/],
    ['endless headers', endless('HTTP/1.1 200 OK\r\n', 'a: b\r\n', 20), 'FETCH_FAILED', /no answer within 250 ms/],
    [
      'endless early hints',
      endless('', 'HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n', 20),
      'FETCH_FAILED',
      /no answer within 250 ms/,
    ],
    ['a length beyond the body', sending('200 OK', ['Content-Length: 5000'], PAGE), 'FETCH_FAILED', /closed before/],
    [
      'a length beyond all numbers',
      sending('200 OK', [`Content-Length: ${'9'.repeat(30)}`], PAGE),
      'FETCH_FAILED',
      /Content-Length/,
    ],
    ['a negative length', sending('200 OK', ['Content-Length: -1'], PAGE), 'FETCH_FAILED', /HTTP/],
    [
      'two lengths',
      sending('200 OK', ['Content-Length: 9', 'Content-Length: 10'], PAGE),
      'FETCH_FAILED',
      /Content-Length/,
    ],
    [
      'a length and chunks',
      sending('200 OK', ['Content-Length: 9', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      'FETCH_FAILED',
      /Content-Length/,
    ],
    [
      'chunks that break off',
      sending('200 OK', ['Transfer-Encoding: chunked'], '5\r\nabcde\r\n'),
      'FETCH_FAILED',
      /closed before/,
    ],
    ['a header of a megabyte', sending('200 OK', [`X: ${'a'.repeat(1e6)}`]), 'FETCH_FAILED', /headers .* too large/],
    [
      'ten thousand headers',
      sending(
        '200 OK',
        Array.from({ length: 1e4 }, (_, i) => `X-${i}: 1`),
      ),
      'FETCH_FAILED',
      /headers .* too large/,
    ],
    ['an answer of another protocol', (socket) => void socket.end('SSH-2.0-OpenSSH\r\n'), 'FETCH_FAILED', /HTTP/],
    ['no answer', (socket) => void socket.destroy(), 'FETCH_FAILED', /closed before/],
    ['a reset', (socket) => void socket.resetAndDestroy(), 'FETCH_FAILED', /closed before/],
    ['a redirect to itself', redirect('/waits'), 'FETCH_FAILED', /more than 5 redirects/],
    ['a redirect to a file', redirect('file:///etc/passwd'), 'FETCH_FAILED', /from http: to file:/],
    ['a redirect to data', redirect('data:text/csv,A'), 'FETCH_FAILED', /from http: to data:/],
    ['a redirect to nowhere', redirect('http://['), 'FETCH_FAILED', /unreadable address/],
    ['a redirect with a password', redirect('http://ann:secret@127.0.0.1/'), 'FETCH_FAILED', /^(?!.*secret).*password/],
    [
      'a redirect to this network',
      redirect('http://10.0.0.1/'),
      'SITE_UNREACHABLE',
      /10\.0\.0\.1 is in a private network/,
    ],
    ['a 304 without a condition', sending('304 Not Modified', []), 'FETCH_FAILED', /304, not modified/],
    [
      'a part that was not asked for',
      sending('206 Partial Content', ['Content-Length: 1'], 'A'),
      'FETCH_FAILED',
      /206, a part/,
    ],
  ])('%s is a failure that says why', async (_, answer, code, message) => {
    const isEndless = message.source.startsWith('no answer within')
    const error: FetchError = await fetched(answer, isEndless ? SHORT_MS : LONG_MS).then(
      () => expect.fail('should have failed'),
      (failure) => failure,
    )
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)])
  })

  it('does not give a chain of slow redirects the time of each', async () => {
    const slowly: RawAnswer = (socket) => void setTimeout(() => redirect('/waits')(socket), 100)
    await expect(fetched(slowly, SHORT_MS)).rejects.toThrow(/no answer within 250 ms/)
  })

  it.each<[string, RawAnswer]>([
    ['gzip', sendingBody(gzip, 'Content-Encoding: gzip')],
    ['gzip, in capitals, under its older name', sendingBody(gzip, 'Content-Encoding: X-GZIP')],
    [
      'gzip in chunks',
      sending(
        '200 OK',
        ['Content-Encoding: gzip', 'Transfer-Encoding: chunked'],
        Buffer.concat([Buffer.from(`${gzip.length.toString(16)}\r\n`), gzip, Buffer.from('\r\n0\r\n\r\n')]),
      ),
    ],
    ['brotli', sendingBody(brotliCompressSync(PAGE), 'Content-Encoding: br')],
    ['deflate', sendingBody(deflateSync(PAGE), 'Content-Encoding: deflate')],
    ['deflate without its header', sendingBody(deflateRawSync(PAGE), 'Content-Encoding: deflate')],
    ['brotli in gzip', sendingBody(gzipSync(brotliCompressSync(PAGE)), 'Content-Encoding: br, gzip')],
    ['a charset in the wrong header', sendingBody(PAGE, 'Content-Encoding: UTF-8')],
    ['no length', sending('200 OK', ['Connection: close'], PAGE)],
  ])('reads %s', async (_, answer) => {
    expect(await fetched(answer)).toBe(PAGE)
  })
})

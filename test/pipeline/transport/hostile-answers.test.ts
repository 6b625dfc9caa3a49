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

/** An answer whose header names a coding of its body. */
const encoded = (coding: string, body: string | Uint8Array) => sendingBody(body, `Content-Encoding: ${coding}`)
const PAGE = 'checkpoint,minutes\n'.padEnd(2_000, 'A,12\n')
const redirect = (to: string) => sending('302 Found', [`Location: ${to}`, 'Content-Length: 0'])
const gzip = gzipSync(PAGE)
const flipped = Buffer.from(gzip.map((byte, index) => (index === gzip.length - 6 ? byte ^ 0xff : byte)))
const BOMB = gzipSync(Buffer.alloc(50_000_000))

describe('an answer of a hostile or broken site', () => {
  it.each<[string, RawAnswer, RegExp, FetchError['code']?]>([
    ['a gzip bomb', encoded('gzip', BOMB), /over 100000 bytes/, 'FETCH_TOO_LARGE'],
    ['a bomb in a bomb', encoded('gzip, gzip', gzipSync(BOMB)), /over 100000/, 'FETCH_TOO_LARGE'],
    ['a brotli bomb', encoded('br', brotliCompressSync(Buffer.alloc(5_000_000))), /over 100000/, 'FETCH_TOO_LARGE'],
    ['a deflate bomb', encoded('deflate', deflateSync(Buffer.alloc(5_000_000))), /over 100000/, 'FETCH_TOO_LARGE'],
    ['more codings than anybody uses', encoded('gzip,gzip,gzip,gzip', gzip), /4 times/],
    ['a coding that was not asked for', encoded('zstd', PAGE), /with zstd, which/],
    ['a page that is called gzip', encoded('gzip', PAGE), /incorrect header check/],
    ['gzip cut in the middle', encoded('gzip', gzip.subarray(0, -20)), /no whole gzip/],
    ['gzip without its check', encoded('gzip', gzip.subarray(0, -8)), /no whole gzip/],
    ['gzip with a wrong check', encoded('gzip', flipped), /incorrect data check/],
    ['brotli cut in the middle', encoded('br', brotliCompressSync(PAGE).subarray(0, -5)), /no whole br/],
    ['an endless body', endless(bytesOf('200 OK', []), 'x'.repeat(65_536)), /over 100000/, 'FETCH_TOO_LARGE'],
    ['an endless drip', endless(bytesOf('200 OK', []), 'x', 20), /no answer within 250 ms/],
    ['endless headers', endless('HTTP/1.1 200 OK\r\n', 'a: b\r\n', 20), /no answer within 250 ms/],
    ['endless early hints', endless('', 'HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n', 20), /no answer within 250 ms/],
    ['a length beyond the body', sending('200 OK', ['Content-Length: 5000'], PAGE), /closed before/],
    ['a length beyond all numbers', sending('200 OK', [`Content-Length: ${'9'.repeat(30)}`], PAGE), /Content-Length/],
    ['a negative length', sending('200 OK', ['Content-Length: -1'], PAGE), /HTTP/],
    ['two lengths', sending('200 OK', ['Content-Length: 9', 'Content-Length: 10'], PAGE), /Content-Length/],
    [
      'a length and chunks',
      sending('200 OK', ['Content-Length: 9', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      /Content-Length/,
    ],
    ['chunks that break off', sending('200 OK', ['Transfer-Encoding: chunked'], '5\r\nabcde\r\n'), /closed before/],
    ['a header of a megabyte', sending('200 OK', [`X: ${'a'.repeat(1e6)}`]), /headers .* too large/],
    [
      'ten thousand headers',
      sending(
        '200 OK',
        Array.from({ length: 1e4 }, (_, i) => `X-${i}: 1`),
      ),
      /headers .* too large/,
    ],
    ['an answer of another protocol', (socket) => void socket.end('SSH-2.0-OpenSSH\r\n'), /HTTP/],
    ['no answer', (socket) => void socket.destroy(), /closed before/],
    ['a reset', (socket) => void socket.resetAndDestroy(), /closed before/],
    ['a redirect to itself', redirect('/waits'), /more than 5 redirects/],
    ['a redirect to a file', redirect('file:///etc/passwd'), /from http: to file:/],
    ['a redirect to data', redirect('data:text/csv,A'), /from http: to data:/],
    ['a redirect to nowhere', redirect('http://['), /unreadable address/],
    ['a redirect with a password', redirect('http://ann:secret@127.0.0.1/'), /^(?!.*secret).*password/],
    [
      'a redirect to this network',
      redirect('http://10.0.0.1/'),
      /10\.0\.0\.1 is in a private network/,
      'SITE_UNREACHABLE',
    ],
    ['a 304 without a condition', sending('304 Not Modified', []), /304, not modified/],
    ['a part that was not asked for', sending('206 Partial Content', ['Content-Length: 1'], 'A'), /206, a part/],
  ])('%s is a failure that says why', async (_, answer, message, code = 'FETCH_FAILED') => {
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
    ['gzip', encoded('gzip', gzip)],
    ['gzip, in capitals, under its older name', encoded('X-GZIP', gzip)],
    [
      'gzip in chunks',
      sending(
        '200 OK',
        ['Content-Encoding: gzip', 'Transfer-Encoding: chunked'],
        Buffer.concat([Buffer.from(`${gzip.length.toString(16)}\r\n`), gzip, Buffer.from('\r\n0\r\n\r\n')]),
      ),
    ],
    ['brotli', encoded('br', brotliCompressSync(PAGE))],
    ['deflate', encoded('deflate', deflateSync(PAGE))],
    ['deflate without its header', encoded('deflate', deflateRawSync(PAGE))],
    ['brotli in gzip', encoded('br, gzip', gzipSync(brotliCompressSync(PAGE)))],
    ['a charset in the wrong header', encoded('UTF-8', PAGE)],
    ['no length', sending('200 OK', ['Connection: close'], PAGE)],
  ])('reads %s', async (_, answer) => {
    expect(await fetched(answer)).toBe(PAGE)
  })
})

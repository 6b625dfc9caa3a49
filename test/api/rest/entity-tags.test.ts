import { expect, test } from 'vitest'
import { isKnown } from '../../../api/rest/entity-tags.ts'
import { shareHarness } from '../harness.ts'

const { call } = shareHarness()

const KNOWN = [
  'W/"s1.abc"',
  '"s1.abc"',
  'w/"s1.abc"',
  'W/"s1.abc-gzip"',
  '"s1.abc-br"',
  '"s1.abc--gzip"',
  '"s1.abc;gzip"',
  '"s1.abc;br"',
  '"s1.abc:gzip"',
  '"s1.abc-zstd"',
  'W/"s1.abc"-gzip',
  '"other", W/"s1.abc-gzip"',
  '*',
]
const UNKNOWN = [
  's1.abc',
  '"s1.abd"',
  '"s1.ab"',
  '"s1.abc-gzipped"',
  '"s1.abc"x',
  '"s1.abc-gzip-old"',
  'W/',
  '"',
  '',
  '-gzip',
  undefined,
]

test.each(KNOWN)('%s names the answer', (header) => {
  for (const etag of ['W/"s1.abc"', '"s1.abc"']) expect(isKnown(header, etag)).toBe(true)
})

test.each(UNKNOWN)('%s does not name the answer', (header) => expect(isKnown(header, 'W/"s1.abc"')).toBe(false))

test('an answer whose tag a proxy has changed is not sent again', async () => {
  const url = '/api/v1/airports'
  const etag = String((await call('free', url)).headers.etag)
  for (const sent of [etag, etag.slice(2), etag.replace(/"$/, '-gzip"'), etag.slice(2).replace(/"$/, ';gzip"')])
    expect((await call('free', url, { headers: { 'if-none-match': sent } })).statusCode, sent).toBe(304)
})

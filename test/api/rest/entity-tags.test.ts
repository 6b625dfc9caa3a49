import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isKnown } from '../../../api/rest/entity-tags.ts'
import { projectFile } from '../../../config/paths.ts'
import { shareHarness } from '../harness.ts'

const { call } = shareHarness()

/** Values of If-None-Match that name the answer `s1.abc`, also as proxies change it, and those that do not. */
const { known, unknown }: Record<'known' | 'unknown', string[]> = JSON.parse(
  readFileSync(projectFile('test/api/rest/entity-tags.json'), 'utf8'),
)

test.each(known)('%s names the answer', (header) => {
  for (const etag of ['W/"s1.abc"', '"s1.abc"']) expect(isKnown(header, etag)).toBe(true)
})

test.each([...unknown, undefined])('%s does not name the answer', (header) =>
  expect(isKnown(header, 'W/"s1.abc"')).toBe(false),
)

test('an answer whose tag a proxy has changed is not sent again', async () => {
  const url = '/api/v1/airports'
  const etag = String((await call('free', url)).headers.etag)
  for (const sent of [etag, etag.slice(2), etag.replace(/"$/, '-gzip"'), etag.slice(2).replace(/"$/, ';gzip"')])
    expect((await call('free', url, { headers: { 'if-none-match': sent } })).statusCode, sent).toBe(304)
})

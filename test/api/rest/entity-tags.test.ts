import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isKnown } from '../../../api/rest/entity-tags.ts'
import { projectFile } from '../../../config/paths.ts'

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

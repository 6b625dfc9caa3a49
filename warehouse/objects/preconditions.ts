import { randomUUID } from 'node:crypto'
import { HoldshortError } from '../../config/errors.ts'
import type { ObjectStore } from './object-store.ts'

const PROBES = 'probes/'

/**
 * Checks that a store obeys preconditions and stores what it is sent, with an object of its own that is deleted afterwards.
 * Without preconditions nothing would keep two leaders from writing at once.
 * @throws HoldshortError STORE_UNSAFE, STORE_UNREACHABLE, STORE_REFUSED
 */
export async function requirePreconditions(store: ObjectStore): Promise<void> {
  const key = `${PROBES}${randomUUID()}`
  const text = (word: string) => Buffer.from(`${word} ${key}`)
  const unsafe = (what: string) =>
    new HoldshortError(
      'STORE_UNSAFE',
      `${store.address} ${what}; use a store that obeys If-Match and If-None-Match on PUT and GET`,
    )
  try {
    const first = await store.putIf(key, text('first'), 'absent')
    if (first === null || first === '') throw unsafe('gives a new object no ETag')
    if ((await store.putIf(key, text('other'), 'absent')) !== null)
      throw unsafe('overwrites an object although it was told If-None-Match: *')
    const second = await store.putIf(key, text('second'), { etag: first })
    if (second === null || second === first) throw unsafe('does not replace an object whose ETag matches')
    if ((await store.putIf(key, text('third'), { etag: first })) !== null)
      throw unsafe('overwrites an object although its ETag does not match If-Match')
    if ((await store.getUnless(key, second)) !== 'unchanged') throw unsafe('does not obey If-None-Match on GET')
    const found = await store.get(key)
    if (!found || !Buffer.from(found.bytes).equals(text('second'))) throw unsafe('does not return what was written')
  } finally {
    await store.delete(key).catch(() => undefined)
  }
}

import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

/** Waits for `before` ahead of each call of these functions of `node:fs/promises` in the tests of a file. */
export function beforeFileCalls<Name extends keyof typeof promises>(
  names: readonly Name[],
  before: (name: Name) => Promise<void>,
): void {
  const originals = new Map(names.map((name) => [name, promises[name]]))
  beforeAll(() => {
    for (const name of names) {
      const original = originals.get(name) as unknown as (...values: unknown[]) => Promise<unknown>
      Object.assign(promises, {
        [name]: async (...values: unknown[]) => {
          await before(name)
          return original(...values)
        },
      })
    }
    syncBuiltinESMExports()
  })
  afterAll(() => {
    Object.assign(promises, Object.fromEntries(originals))
    syncBuiltinESMExports()
  })
}

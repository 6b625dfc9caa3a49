import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issueKey } from '../../../accounts/keys/keys.ts'
import { moveState } from '../../../api/state/move-state.ts'
import { openStateAt } from '../../../api/state/open.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const PEPPER = 'a pepper for this test only'
const NOW = Date.parse('2026-11-22T10:00:00Z')

test('a state that was moved has every row, its keys are valid, and it is moved into an empty one only', async () => {
  const folder = await temporaryFolder()
  const from = await openStateAt(join(folder, 'from.sqlite'), PEPPER)
  const to = await openStateAt(join(folder, 'to.sqlite'), PEPPER)
  await issueKey(from, { tier: 'pro', name: 'Ada' }, NOW)
  const all = async (state: typeof from) => ({
    keys: await state.db.selectFrom('keys').selectAll().execute(),
    accounts: await state.db.selectFrom('accounts').selectAll().execute(),
    installation: await state.db.selectFrom('installation').select('id').execute(),
    audit: await state.db.selectFrom('audit').selectAll().execute(),
  })
  expect(await moveState(from, to)).toMatchObject({ accounts: 1, keys: 1 })
  expect(await all(to)).toEqual(await all(from))
  await expect(moveState(from, to)).rejects.toMatchObject({ code: 'CONFLICT' })
  const tables = await from.db.introspection.getTables()
  const moved = Object.keys(await moveState(from, await openStateAt(join(folder, 'again.sqlite'), PEPPER)))
  expect(moved.sort()).toEqual(
    tables
      .map(({ name }) => name)
      .filter((name) => !/^(kysely|sqlite)/.test(name))
      .sort(),
  )
  await from.close()
  await to.close()
})

import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS } from '../../../api/state/migrations.ts'
import { openDatabaseAsItIs, openState } from '../../../api/state/open.ts'
import { openStateBesideService } from '../../../bin/runtime/state.ts'
import { readSettings } from '../../../config/settings.ts'
import { run } from '../../end-to-end/commands.ts'
import { startProgram } from '../../start-program.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** A data folder whose state lacks the last migration, as one that an earlier release uses. */
async function folderOfEarlierRelease(): Promise<string> {
  const data_dir = await temporaryFolder()
  await using state = await openState({ data_dir })
  await sql`delete from kysely_migration where name = ${Object.keys(MIGRATIONS).at(-1)}`.execute(state.db)
  return data_dir
}

async function migrationsOf(data_dir: string): Promise<number> {
  const database = (await openDatabaseAsItIs({ data_dir }))!
  const { rows } = await sql`select name from kysely_migration`.execute(database.db)
  await database.close()
  return rows.length
}

test('a command does not move the state of an earlier release forward beside a process that uses it', async () => {
  const data_dir = await folderOfEarlierRelease()
  const service = startProgram('use-data-folder', data_dir, 'shared')
  await service.hasPrinted(1)
  for (const words of [
    ['accounts', 'list'],
    ['keys', 'list'],
    ['keys', 'issue'],
    ['state', 'accept'],
  ]) {
    const { code, stderr } = await run(...words, '--data-dir', data_dir)
    expect([words, code, stderr]).toEqual([words, expect.any(Number), expect.stringContaining('earlier release')])
    expect(code).not.toBe(0)
    expect(stderr).toContain(`process ${service.child.pid}`)
  }
  await expect(openStateBesideService(readSettings({ HOLDSHORT_DATA_DIR: data_dir }))).rejects.toMatchObject({
    code: 'STATE_OF_OTHER_RELEASE',
  })
  expect(await migrationsOf(data_dir)).toBe(Object.keys(MIGRATIONS).length - 1)
  // The way out of the message: the service of this release moves it forward, and commands run beside it.
  const upgraded = await openState({ data_dir })
  onTestFinished(() => upgraded.close())
  expect((await run('keys', 'list', '--data-dir', data_dir)).code).toBe(0)
})

test('a command moves it forward where no other process uses it', async () => {
  const data_dir = await folderOfEarlierRelease()
  expect((await run('keys', 'list', '--data-dir', data_dir)).code).toBe(0)
  expect(await migrationsOf(data_dir)).toBe(Object.keys(MIGRATIONS).length)
})

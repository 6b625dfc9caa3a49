import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import pg from 'pg'
import { beforeEach, inject, vi } from 'vitest'
import type * as Open from '../../../api/state/open.ts'
import { readOrCreatePeppers } from '../../../api/state/peppers.ts'
import { dataPaths } from '../../../config/settings.ts'

/**
 * In the project `postgresql` every state that a test opens is on PostgreSQL: each data folder of the test is mapped to a
 * database, so that two states of one folder share one, as they do on SQLite.
 */
const server = inject('postgresql')

beforeEach((context) => {
  if (server === null) context.skip('PostgreSQL is not installed')
})

/** A database, the folder that is mapped to it, and whether it is open; without both it can be reused. */
interface Place {
  database: string
  folder: string
  open: number
  /** Resolves when the database exists and is empty. */
  ready: Promise<void>
}
/** Kept on `globalThis`, because the files of one worker share it even where they load this module again. */
const worker = globalThis as { placesOfState?: Place[] }
worker.placesOfState ??= []
const places = worker.placesOfState

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

const urlOf = (database: string) => Object.assign(new URL(server ?? ''), { pathname: `/${database}` }).href

/** Deletes all rows that an earlier test left, except those that the migrations inserted. */
const EMPTY = `do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
    and tablename <> 'access_version' loop execute format('delete from %I', name); end loop; end $$`

async function placeOf(folder: string): Promise<Place> {
  let place = places.find((candidate) => candidate.folder === folder)
  if (!place) {
    place = places.find((candidate) => candidate.open === 0 && !existsSync(candidate.folder))
    if (place) {
      place.folder = folder
      place.ready = run(urlOf(place.database), EMPTY)
    } else {
      const database = `state_${randomUUID().replaceAll('-', '')}`
      place = { database, folder, open: 0, ready: run(server ?? '', `create database ${database}`) }
      places.push(place)
    }
  }
  await place.ready
  return place
}

vi.mock('../../../api/state/open.ts', async (original) => {
  const actual = await original<typeof Open>()
  const openState: typeof actual.openState = async (settings) => {
    if (settings.database_url !== undefined) return actual.openState(settings)
    const place = await placeOf(settings.data_dir)
    const key_pepper = settings.key_pepper ?? readOrCreatePeppers(dataPaths(settings.data_dir).pepper)[0]
    const state = await actual.openState({ ...settings, key_pepper, database_url: urlOf(place.database) })
    place.open++
    return {
      ...state,
      close: async () => {
        await state.close()
        place.open--
      },
    }
  }
  return { ...actual, openState }
})

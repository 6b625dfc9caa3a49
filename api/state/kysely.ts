import { createRequire } from 'node:module'

/** Kysely, required and not imported: as a module it is 260 files, each of which Node.js resolves and reads apart, a tenth of the start of `serve`. */
const kysely = createRequire(import.meta.url)('kysely') as typeof import('kysely')

export const {
  DEFAULT_MIGRATION_TABLE,
  Kysely,
  Migrator,
  PostgresDialect,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} = kysely

import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { CompiledQuery } from 'kysely'
import Database from 'libsql'
import pg from 'pg'
import { afterEach, expect, inject } from 'vitest'
import { openStateAt } from '../../../api/state/open.ts'
import { projectFile } from '../../../config/paths.ts'

/**
 * Each statement that the service sends to the state in any test is planned by the database of the test: by SQLite with the tables and
 * indexes of the state and without a row, so that the plan depends on the indexes alone; by PostgreSQL on a large state, because it
 * plans by statistics. A test fails whose statement reads a whole table, because such a statement takes longer with each account.
 */

/** Tables with a handful of rows, whatever the installation is. */
const SMALL = new Set([
  'installation',
  'access_version',
  'secrets',
  // A row for each running process.
  'usage_writers',
  // Of the database itself.
  'sqlite_master',
  'kysely_migration',
  'kysely_migration_lock',
])

/** Statements about every row, and why that keeps no request waiting. */
const OF_EVERY_ROW: { file: string; table: string; why: string }[] = [
  {
    file: 'api/state/move-state.ts',
    table: '*',
    why: 'copies a state into another database, while the service is stopped',
  },
  { file: 'api/state/migrations.ts', table: '*', why: 'asks once for the columns and indexes of all tables' },
  { file: 'accounts/billing/list-accounts.ts', table: '*', why: '`holdshort accounts list` prints all' },
  { file: 'accounts/keys/keys.ts', table: 'keys', why: '`holdshort keys list` prints all' },
  { file: 'bin/commands/state.ts', table: '*', why: 'counts what `state move` has moved' },
  { file: 'accounts/billing/report-overage.ts', table: 'subscriptions', why: 'an hourly task over all who pay' },
  { file: 'accounts/billing/reread-subscriptions.ts', table: 'subscriptions', why: 'the same' },
  { file: 'accounts/billing/reread-subscriptions.ts', table: 'accounts', why: 'the same, each with its account' },
  {
    file: 'accounts/privacy/delete-account.ts',
    table: 'challenges',
    why: 'they live for minutes, and name accounts in JSON',
  },
  {
    file: 'accounts/privacy/delete-account.ts',
    table: 'oauth_records',
    why: 'what names a deleted account in its JSON must go',
  },
]

const isAllowed = (file: string, table: string) =>
  SMALL.has(table) ||
  OF_EVERY_ROW.some((exception) => exception.file === file && [table, '*'].includes(exception.table))

/**
 * Periodic tasks about what is due: where a test lets years pass, that is every row, and PostgreSQL rightly reads the whole table. Of
 * these an index has to serve when whole reads are made dear.
 */
const ABOUT_WHAT_IS_DUE = new Set([
  'accounts/alerts/evaluate-alerts.ts',
  'accounts/alerts/periodic-tasks.ts',
  'accounts/keys/registration.ts',
  'accounts/oauth/connections.ts',
  'accounts/people/periodic-task.ts',
  'accounts/people/sessions.ts',
  'api/reports/delete-old-reports.ts',
])

type Executor = { executeQuery: (query: CompiledQuery, ...rest: unknown[]) => Promise<unknown> }

interface Sent {
  file: string
  sql: string
  parameters: unknown[]
}

/** Kept on `globalThis`, because the files of one worker share the library. */
const worker = globalThis as { sentStatements?: Map<string, Sent>; plannedStatements?: Set<string> }

/** The file of the service that sends a statement; null where a test does. */
function sender(stack: string): string | null {
  for (const line of stack.split('\n')) {
    const [, path = ''] = /(?:file:\/\/)?(\/[^:)]+):\d+/.exec(line) ?? []
    if (path === '' || path.includes('node_modules')) continue
    const file = relative(projectFile(), path)
    if (file === 'test/api/state/no-scans.ts') continue
    return /^(?:accounts|api|bin)\//.test(file) ? file : null
  }
  return null
}

if (worker.sentStatements === undefined) {
  const sent = new Map<string, Sent>()
  worker.sentStatements = sent
  worker.plannedStatements = new Set()
  // The state requires this package: imported, it would be another copy.
  const { DefaultQueryExecutor } = createRequire(import.meta.url)('kysely') as typeof import('kysely')
  const prototype = DefaultQueryExecutor.prototype as unknown as Executor
  const { executeQuery } = prototype
  prototype.executeQuery = function (this: Executor, query, ...rest) {
    if (!worker.plannedStatements!.has(query.sql) && /^\s*(?:select|update|delete|with)\b/i.test(query.sql)) {
      const file = sender(new Error().stack ?? '')
      if (file !== null) sent.set(query.sql, { file, sql: query.sql, parameters: [...query.parameters] })
    }
    return executeQuery.call(this, query, ...rest)
  }
}

let planner: Promise<Database.Database> | null = null

/** A database with the tables of the state, and no rows. */
async function openPlanner(): Promise<Database.Database> {
  const folder = mkdtempSync(join(tmpdir(), 'holdshort-plans-'))
  const file = join(folder, 'state.sqlite')
  await (await openStateAt(file, 'pepper')).close()
  const made = new Database(file)
  const schema = made.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'").all()
  made.close()
  rmSync(folder, { recursive: true })
  const database = new Database(':memory:')
  for (const { sql } of schema as { sql: string }[]) database.exec(sql)
  return database
}

/** What a plan reads as a whole: a table, or all of an index of it. */
export const scannedTables = (plan: { detail: string }[]): string[] =>
  plan.flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? []).filter((name) => name !== 'CONSTANT')

async function scansOfSqlite(sql: string): Promise<string[]> {
  planner ??= openPlanner()
  return scannedTables((await planner).prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[])
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

/** Tables that a plan reads as a whole; with `indexes`, also by an index of which it reads all. */
const wholeReads = (node: PlanNode, indexes = false): string[] => {
  const isWhole =
    node['Node Type'] === 'Seq Scan' ||
    (indexes && /^Index (?:Only )?Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined)
  return [
    ...(isWhole ? [node['Relation Name'] ?? ''] : []),
    ...(node.Plans ?? []).flatMap((child) => wholeReads(child, indexes)),
  ]
}

let large: Promise<pg.Client> | null = null

/** By the plan for a state of 100,000 accounts, 1,000,000 reports and 20,000 alerts. */
async function scansOfPostgresql({ file, sql, parameters }: Sent): Promise<string[]> {
  large ??= (async () => {
    const client = new pg.Client({ connectionString: inject('largeState') })
    await client.connect()
    // The connection must not keep the worker.
    ;(client as unknown as { unref: () => void }).unref()
    return client
  })()
  const client = await large
  const plan = async (): Promise<PlanNode> => {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${sql}`, parameters)
    return rows[0]['QUERY PLAN'][0].Plan
  }
  const whole = wholeReads(await plan())
  if (whole.length === 0 || !ABOUT_WHAT_IS_DUE.has(file)) return whole
  await client.query('SET enable_seqscan = off')
  try {
    return wholeReads(await plan(), true)
  } finally {
    await client.query('RESET enable_seqscan')
  }
}

afterEach(async () => {
  const statements = [...worker.sentStatements!.values()]
  worker.sentStatements!.clear()
  const scans: string[] = []
  for (const sent of statements) {
    const isSqlite = !/\$1\b/.test(sent.sql)
    // Without a value a statement is the same on both, and SQLite plans it.
    const read = isSqlite ? await scansOfSqlite(sent.sql).catch(() => []) : await scansOfPostgresql(sent)
    const tables = read.filter((table) => !isAllowed(sent.file, table))
    // A statement that failed is planned again by the second try of its test.
    if (tables.length === 0) worker.plannedStatements!.add(sent.sql)
    else scans.push(`${sent.file} reads all of ${tables.join(', ')}: ${sent.sql}`)
  }
  // The planner itself has opened a state.
  worker.sentStatements!.clear()
  expect(scans).toEqual([])
})

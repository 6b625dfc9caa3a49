import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { Row } from '../../warehouse/tables/define.ts'
import { type TableName, tables } from '../../warehouse/tables/index.ts'
import type { NoticeRow } from '../../warehouse/tables/notices.ts'
import type { Run } from '../../warehouse/tables/runs.ts'

/** Rows of one capture, for every table they go to. */
export interface Batch {
  table: TableName
  rows: object[]
  notices: NoticeRow[]
  run: Omit<Run, 'new_rows' | 'outcome'> & { outcome: Run['outcome'] | null; fetched_at: string }
}

interface Waiting {
  batch: Batch
  landed: (newRows: number) => void
  failed: (error: unknown) => void
}

/**
 * Lands captures in groups: what arrives while a landing is under way goes together into the next, so that eighty
 * sources make a few files a minute and not hundreds. Each caller waits until its own rows are durable.
 */
export function createLanding(warehouse: Warehouse) {
  let waiting: Waiting[] = []
  let landing: Promise<void> | null = null

  const landGroup = async (group: Waiting[]) => {
    for (const name of new Set(group.map(({ batch }) => batch.table))) {
      const rows = group.flatMap(({ batch }) => (batch.table === name ? batch.rows : []))
      await warehouse.land(tables[name], rows as Row<(typeof tables)[typeof name]>[])
    }
    const landed = await countLanded(warehouse, group)
    const runs = group.map(({ batch }, i): Run => {
      const newRows = landed[i] ?? 0
      const outcome = batch.run.outcome ?? (newRows > 0 ? 'landed' : batch.run.parsed_rows > 0 ? 'unchanged' : 'empty')
      const { fetched_at: _, ...run } = batch.run
      return { ...run, outcome, new_rows: newRows }
    })
    await warehouse.land(
      tables.notices,
      group.flatMap(({ batch }) => batch.notices),
    )
    await warehouse.land(tables.runs, runs)
    for (const [i, member] of group.entries()) member.landed(runs[i]?.new_rows ?? 0)
  }

  const drain = async () => {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      try {
        await landGroup(group)
      } catch (error) {
        for (const { failed } of group) failed(error)
      }
    }
    landing = null
  }

  return {
    /** Resolves with the number of new rows once they are on disk. */
    land: (batch: Batch) =>
      new Promise<number>((landed, failed) => {
        waiting.push({ batch, landed, failed })
        landing ??= new Promise<void>((resolve) => setTimeout(resolve, 20)).then(drain)
      }),
    idle: async () => {
      while (landing) await landing
    },
  }
}

export type Landing = ReturnType<typeof createLanding>

/** New rows of each batch: those that carry its capture and its fetch time. */
async function countLanded(warehouse: Warehouse, group: Waiting[]): Promise<number[]> {
  const since = group.map(({ batch }) => batch.run.fetched_at).sort()[0] ?? ''
  const counted = await Promise.all(
    [...new Set(group.map(({ batch }) => batch.table))].map((table) =>
      warehouse.query<{ key: string; n: number }>(
        `SELECT capture_id || ' ' || epoch_ms(fetched_at) AS key, count(*)::INTEGER AS n FROM ${table}
         WHERE fetched_at >= $since::TIMESTAMPTZ GROUP BY ALL`,
        { since },
      ),
    ),
  )
  const known = new Map(counted.flat().map(({ key, n }) => [key, n]))
  return group.map(({ batch }) => known.get(`${batch.run.capture_id} ${Date.parse(batch.run.fetched_at)}`) ?? 0)
}

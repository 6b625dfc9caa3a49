import { HoldshortError } from '../../config/errors.ts'
import { withTimeLimit } from '../../config/time-limit.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { captureKey, landRows } from '../../warehouse/storage/write.ts'
import type { Row } from '../../warehouse/tables/define.ts'
import { type TableName, tables } from '../../warehouse/tables/index.ts'
import type { NoticeRow } from '../../warehouse/tables/notices.ts'
import type { Run } from '../../warehouse/tables/runs.ts'

/** All rows of one request: its readings (or rows of another table), its notices and its run. */
export interface Batch {
  table: TableName
  rows: object[]
  notices: NoticeRow[]
  /** `outcome` is null until the number of new rows is known. */
  run: Omit<Run, 'new_rows' | 'outcome'> & { outcome: Run['outcome'] | null; fetched_at: string }
}

interface WaitingBatch {
  batch: Batch
  resolve: (newRows: number) => void
  reject: (error: unknown) => void
}

/** How long the first batch of a group waits for others, in milliseconds. */
const GROUP_WAIT_MS = 20

/**
 * Lands batches in groups: those that arrive during a landing go together into the next one, so that eighty sources make a few
 * transactions a minute and not hundreds. Each caller waits until its own rows are on disk, but no longer than `patienceMs`: while another
 * process holds the warehouse, sources are collected all the same, and what they gave lands later.
 */
export function createLanding(warehouse: Warehouse, patienceMs = Number.POSITIVE_INFINITY) {
  let waiting: WaitingBatch[] = []
  let landing: Promise<void> | null = null

  const landGroup = async (group: WaitingBatch[]) => {
    const runs = await warehouse.write(async (context) => {
      const newRows = new Map<string, number>()
      for (const name of new Set(group.map(({ batch }) => batch.table))) {
        const rows = group.flatMap(({ batch }) => (batch.table === name ? batch.rows : []))
        const { byCapture } = await landRows(context, tables[name], rows as Row<(typeof tables)[typeof name]>[])
        for (const [capture, count] of byCapture) newRows.set(capture, (newRows.get(capture) ?? 0) + count)
      }
      const found = group.flatMap(({ batch }) => batch.notices)
      await landRows(context, tables.notices, found)
      const landed = group.map(({ batch }) => {
        const { capture_id, fetched_at } = batch.run
        return runWithOutcome(batch, newRows.get(captureKey(capture_id, Date.parse(fetched_at))) ?? 0)
      })
      await landRows(context, tables.runs, landed)
      return landed
    })
    for (const [index, { resolve }] of group.entries()) resolve(runs[index]?.new_rows ?? 0)
  }

  const landAllGroups = async () => {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      try {
        await landGroup(group)
      } catch (error) {
        // A failure with a code, such as a full disk, is that of every batch. Any other may be that of the rows of one source, which
        // must not keep those of the others from landing.
        const isOfAll = error instanceof HoldshortError || group.length === 1
        if (isOfAll) for (const { reject } of group) reject(error)
        else for (const batch of group) await landGroup([batch]).catch(batch.reject)
      }
    }
    landing = null
  }

  return {
    /** Resolves with the number of new rows once they are on disk; with null when that takes longer than the patience. */
    land: (batch: Batch): Promise<number | null> => {
      const landed = new Promise<number>((resolve, reject) => {
        waiting.push({ batch, resolve, reject })
        landing ??= new Promise<void>((begin) => setTimeout(begin, GROUP_WAIT_MS)).then(landAllGroups)
      })
      return Number.isFinite(patienceMs) ? withTimeLimit(patienceMs, landed, () => null) : landed
    },
    /** Resolves when nothing is left to land. */
    idle: async () => {
      while (landing) await landing
    },
  }
}

export type Landing = ReturnType<typeof createLanding>

function runWithOutcome({ run: { fetched_at: _, ...run } }: Batch, new_rows: number): Run {
  return { ...run, outcome: run.outcome ?? outcomeOf(new_rows, run.parsed_rows), new_rows }
}

function outcomeOf(new_rows: number, parsed_rows: number): Run['outcome'] {
  if (new_rows > 0) return 'landed'
  return parsed_rows > 0 ? 'unchanged' : 'empty'
}

import type { AnalystSession } from '../../../warehouse/storage/analyst-session.ts'

/** All rows of a result, as text. */
export async function readAll(session: AnalystSession, sql: string, shape?: 'lines'): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  for await (const chunk of (await session.stream(sql, shape)).chunks)
    for (let row = 0; row < chunk[0]!.length; row += 1) rows.push(chunk.map((column) => column[row] ?? null))
  return rows
}

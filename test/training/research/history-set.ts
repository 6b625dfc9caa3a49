import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const HEADER = 'airport,terminal,checkpoint,lane,observed_at,wait_minutes,wait_low,wait_high,status'

/** Writes a historical set with some CSV rows into a folder; returns the folder. */
export async function writeHistorySet(folder: string, rows: string[]): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'set.csv.gz'), gzipSync([HEADER, ...rows, ''].join('\n')))
  return folder
}

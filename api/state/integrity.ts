import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'

/**
 * Why a state file is damaged; null when it is whole. While no process uses it, a copy is read, because the last one that
 * closes a file of SQLite also changes it.
 */
export async function stateDamage(file: string, isUsed: boolean): Promise<string | null> {
  if (isUsed) return inspect(file)
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-doctor-'))
  try {
    const copy = join(folder, 'state.sqlite')
    await copyFile(file, copy)
    if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`)
    return inspect(copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function inspect(file: string): string | null {
  try {
    const database = new Database(file)
    try {
      const [row] = database.prepare('PRAGMA quick_check(1)').raw().all() as [string][]
      return row?.[0] === 'ok' ? null : (row?.[0] ?? 'it gives no answer')
    } finally {
      database.close()
    }
  } catch (error) {
    return (error as Error).message
  }
}

import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { makePrivate } from './private-files.ts'

/**
 * The installation's secret for hashing keys, created on first use and readable by its owner only. It is written to a
 * draft file and linked into place, so that two processes that start at the same time read the same secret.
 */
export function readOrCreatePepper(path: string): string {
  const existing = readExistingPepper(path)
  if (existing) return existing
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8')
}

/** The installation's secret; null where it has not been created yet. */
export function readExistingPepper(path: string): string | null {
  try {
    makePrivate(path)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

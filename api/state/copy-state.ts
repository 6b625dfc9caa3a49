import { closeSync, openSync } from 'node:fs'
import Database from 'libsql'
import { HoldshortError } from '../../config/errors.ts'
import { asStateDamage, requireIntegrity, requireStateFile } from './integrity.ts'
import { type Marker, readPosition, requireComplete } from './marker.ts'

/**
 * Copies the state on SQLite into a new file while other processes use it: everything that was committed before the call,
 * as of one moment, without a log. Returns which state it is; null for one of an earlier release.
 * @throws HoldshortError STATE_DAMAGED, STATE_INCOMPLETE, STATE_UNWRITABLE, DISK_FULL
 */
export function copyState(file: string, target: string, marker: Marker | null): Marker | null {
  requireStateFile(file)
  closeSync(openSync(target, 'wx', 0o600))
  try {
    const database = new Database(file)
    try {
      database.pragma('busy_timeout = 5000')
      database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`)
    } finally {
      database.close()
    }
    const copy = new Database(target)
    try {
      requireIntegrity(target, copy)
      const position = readPosition(copy)
      requireComplete(file, marker, position)
      return position
    } finally {
      copy.close()
    }
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (code === 'SQLITE_FULL')
      throw new HoldshortError('DISK_FULL', `there is no space left for ${target}`, { cause: error })
    // libsql has no code for a file that cannot be opened.
    if (/^SQLITE_(IOERR|CANTOPEN|READONLY|PERM)/.test(code) || /^ConnectionFailed/.test((error as Error).message)) {
      const text = `${file} could not be copied to ${target}: one of the two cannot be read or written, or the disk is full (${(error as Error).message})`
      throw new HoldshortError('STATE_UNWRITABLE', text, { cause: error })
    }
    throw asStateDamage(file, error)
  }
}

/** The number of accounts in an earlier copy of a state that a later one lacks, for no row of an account is ever removed; 0 if the earlier one cannot be read. */
export function lostAccounts(earlier: string, later: string): number {
  const database = new Database(later, { readonly: true })
  try {
    database.exec(`ATTACH '${earlier.replaceAll("'", "''")}' AS earlier`)
    const missing = 'SELECT count(*) AS accounts FROM earlier.accounts WHERE id NOT IN (SELECT id FROM main.accounts)'
    return (database.prepare(missing).get() as { accounts: number }).accounts
  } catch {
    return 0
  } finally {
    database.close()
  }
}

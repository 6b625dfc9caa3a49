import { randomBytes } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import { readOrdinaryTextSync } from '../../warehouse/storage/ordinary-file.ts'
import { makePrivate } from './private-files.ts'

/** The file after a rotation. Before one it is the secret itself. */
const Rotated = z.strictObject({ current: z.string().min(16), former: z.array(z.string().min(16)) })

/**
 * The installation's secrets for hashing keys, created on first use and readable by its owner only. The first one is written
 * to a draft file and linked into place, so that two processes that start at the same time read the same secret.
 * @throws HoldshortError STATE_INCOMPLETE for an empty file
 */
export function readOrCreatePeppers(path: string): string[] {
  const existing = readPepperFile(path)
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
  const peppers = readPepperFile(path)
  if (peppers) return peppers
  throw new HoldshortError(
    'STATE_INCOMPLETE',
    `${path} is empty; restore it from a backup, or delete it if no key was ever issued`,
  )
}

/**
 * The installation's secrets, the current one first; null if there is no file, or an empty one.
 * @throws HoldshortError STATE_INCOMPLETE when it is damaged
 */
export function readPepperFile(path: string): string[] | null {
  try {
    makePrivate(path)
    const text = readOrdinaryTextSync(path)
    if (text === '') return null
    if (!text.startsWith('{')) return [text]
    const { current, former } = Rotated.parse(JSON.parse(text))
    return [current, ...former]
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (['EACCES', 'EPERM'].includes(code)) throw error
    throw new HoldshortError('STATE_INCOMPLETE', `${path} is damaged; restore it from a backup`, { cause: error })
  }
}

/** Puts a new secret in front of the former ones, which stay valid. */
export async function rotatePepperFile(path: string): Promise<void> {
  const former = readOrCreatePeppers(path)
  const current = randomBytes(32).toString('base64url')
  await writeWhole(path, JSON.stringify({ current, former }), 0o600)
}

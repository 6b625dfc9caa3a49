import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { StateTables } from './tables.ts'

/** A 32-byte key for one purpose, derived from the installation's pepper (HKDF-SHA256). */
export function derivedKey(pepper: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', `holdshort ${purpose}`, 32))
}

export class WrongPepperError extends Error {}

/**
 * A persistent secret that all processes of the installation share. It is created once and stored encrypted (AES-256-GCM
 * under a key derived from the pepper). If two processes create it at the same time, both read the one stored first.
 * @throws WrongPepperError when the secret was encrypted with another pepper.
 */
export async function installationSecret(
  { db, pepper }: { db: Kysely<StateTables>; pepper: string },
  name: string,
  now: number,
  make: () => string | Promise<string>,
): Promise<string> {
  const read = () => db.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst()
  let row = await read()
  if (!row) {
    const sealed = seal(await make(), pepper, name)
    const created_at = new Date(now).toISOString()
    await db
      .insertInto('secrets')
      .values({ name, sealed, created_at })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    row = await read()
  }
  return unseal(row!.sealed, pepper, name)
}

/** The secret by which a state knows its own pepper. */
export const PEPPER_CHECK = 'pepper-check'

/** Whether a secret was encrypted with this pepper. */
export function isSealedWith(sealed: string, pepper: string, name: string): boolean {
  try {
    unseal(sealed, pepper, name)
    return true
  } catch {
    return false
  }
}

function seal(text: string, pepper: string, name: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(pepper, 'secrets'), nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function unseal(sealed: string, pepper: string, name: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', derivedKey(pepper, 'secrets'), bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new WrongPepperError(`the secret ${name} was encrypted with another pepper`, { cause })
  }
}

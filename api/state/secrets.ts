import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Peppers } from './peppers.ts'
import type { State } from './state.ts'

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
  { db, peppers }: Pick<State, 'db' | 'peppers'>,
  name: string,
  now: number,
  make: () => string | Promise<string>,
): Promise<string> {
  const read = () => db.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst()
  let row = await read()
  if (!row) {
    const sealed = seal(await make(), peppers.current, name)
    const created_at = new Date(now).toISOString()
    await db
      .insertInto('secrets')
      .values({ name, sealed, created_at })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    row = await read()
  }
  return unsealUnderAny(row!.sealed, peppers, name)
}

/** Replaces a persistent secret by what `make` returns for the present one; processes that read it later see the new one. */
export async function replaceInstallationSecret(
  { db, peppers }: Pick<State, 'db' | 'peppers'>,
  name: string,
  now: number,
  make: (present: string) => Promise<string>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('secrets')
      .select('sealed')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const sealed = seal(await make(unsealUnderAny(row.sealed, peppers, name)), peppers.current, name)
    const created_at = new Date(now).toISOString()
    await transaction.updateTable('secrets').set({ sealed, created_at }).where('name', '=', name).execute()
  })
}

/** Encrypts every persistent secret with the current pepper, so that a former one is no longer needed for it. */
export async function sealUnderCurrent({ db, peppers }: Pick<State, 'db' | 'peppers'>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const { name, sealed } of await transaction.selectFrom('secrets').selectAll().execute()) {
      if (unseal(sealed, peppers.current, name) !== null) continue
      const text = unsealUnderAny(sealed, peppers, name)
      await transaction
        .updateTable('secrets')
        .set({ sealed: seal(text, peppers.current, name) })
        .where('name', '=', name)
        .execute()
    }
  })
}

/** Tries each pepper, and again when another process has rotated them. */
function unsealUnderAny(sealed: string, peppers: Peppers, name: string): string {
  for (;;) {
    for (const pepper of peppers.all) {
      const text = unseal(sealed, pepper, name)
      if (text !== null) return text
    }
    if (!peppers.refresh()) throw new WrongPepperError(`the secret ${name} was encrypted with another pepper`)
  }
}

/** The secret by which a state knows its own pepper. */
export const PEPPER_CHECK = 'pepper-check'

/** Whether a secret was encrypted with one of these peppers. */
export const isSealedWithAny = (sealed: string, peppers: readonly string[], name: string): boolean =>
  peppers.some((pepper) => unseal(sealed, pepper, name) !== null)

function seal(text: string, pepper: string, name: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(pepper, 'secrets'), nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function unseal(sealed: string, pepper: string, name: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', derivedKey(pepper, 'secrets'), bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

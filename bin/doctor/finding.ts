/** `wrong` means that the service cannot work as it is set up; a warning or an unknown does not. */
export type Level = 'ok' | 'warning' | 'unknown' | 'wrong'

export interface Finding {
  check: string
  level: Level
  /** False only for `wrong`. */
  ok: boolean
  /** The finding, and if something is wrong, what to do. */
  says: string
}

/** The result of a check: a text when all is well. */
export type Verdict = string | { level: Level; says: string }

export const warning = (says: string): Verdict => ({ level: 'warning', says })
export const unknown = (says: string): Verdict => ({ level: 'unknown', says })
export const wrong = (says: string): Verdict => ({ level: 'wrong', says })

/** Runs one check; an error is a finding too. */
export async function runCheck(check: string, inspect: () => Promise<Verdict> | Verdict): Promise<Finding> {
  try {
    const verdict = await inspect()
    const { level, says } = typeof verdict === 'string' ? { level: 'ok' as const, says: verdict } : verdict
    return { check, level, ok: level !== 'wrong', says }
  } catch (error) {
    return { check, level: 'wrong', ok: false, says: (error as Error).message.replaceAll('\n', '; ') }
  }
}

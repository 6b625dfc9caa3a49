import type { HoldshortError } from '../../config/errors.ts'

/** Failures are held back this long: by then either a source has answered, or there is no network. */
const HOLD_MS = 20_000
/** If nothing answers for this long, unreachable sites are one fault, not many. */
const SILENT_MS = 600_000

const NO_NAME = 'name could not be resolved'

/** Errors that a site caused by answering. */
const ANSWERS = new Set(['FETCH_REFUSED', 'FETCH_TOO_LARGE', 'PARSE_FAILED', 'ROBOTS_DISALLOWED'])

const isUnreachable = ({ code, message }: Pick<HoldshortError, 'code' | 'message'>) =>
  code === 'SITE_UNREACHABLE' || (code === 'FETCH_FAILED' && message.includes(NO_NAME))

export interface NetworkWatch {
  /** A request to a source was answered, readably or not. */
  answered: () => void
  /** A source failed; `report` logs it, unless no source at all can be reached, which is logged once. */
  failed: (error: Pick<HoldshortError, 'code' | 'message'>, report: () => void) => void
}

/**
 * Says in one sentence that no source can be reached, in place of a line for each of them, and when sources answer again.
 * @param say writes a sentence for people
 */
export function watchNetwork(sources: number, say: (sentence: string) => void): NetworkWatch {
  let last_answer = Number.NEGATIVE_INFINITY
  let isOffline = false
  let held: { report: () => void; message: string }[] = []
  const sayOffline = () => {
    if (held.length === 0) return
    const isNames = held.every(({ message }) => message.includes(NO_NAME))
    held = []
    isOffline = true
    say(`0 of ${sources} sources answer: ${isNames ? 'names cannot be resolved' : 'no site can be reached'}.`)
  }
  const watch: NetworkWatch = {
    answered() {
      last_answer = Date.now()
      for (const { report } of held) report()
      held = []
      if (isOffline) say('Sources answer again.')
      isOffline = false
    },
    failed(error, report) {
      if (!isUnreachable(error)) {
        if (ANSWERS.has(error.code)) watch.answered()
        return report()
      }
      if (Date.now() - last_answer <= SILENT_MS) return report()
      if (isOffline) return
      if (held.length === 0) setTimeout(sayOffline, HOLD_MS).unref()
      held.push({ report, message: error.message })
    },
  }
  return watch
}

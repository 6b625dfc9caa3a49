import { ARCHIVE_WITHIN_MS, type ArchiveDesk, ArchiveQuestion, answerTo, archiveUnavailable } from './archive.ts'
import { openLocalAsker } from './live-local.ts'

/** Puts questions about the past to the pipeline process of the same data folder, at the socket of live requests. */
export function openLocalArchiveDesk(path: string, within_ms = ARCHIVE_WITHIN_MS): ArchiveDesk {
  const { ask, close } = openLocalAsker(path, '/archive', within_ms, archiveUnavailable)
  return {
    ask: async (question, { signal } = {}) =>
      ask(ArchiveQuestion.parse(question), (answer) => answerTo(question, answer), signal),
    close,
  }
}

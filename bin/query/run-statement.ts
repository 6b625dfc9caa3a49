import { text } from 'node:stream/consumers'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { terminalLines } from '../../config/outside-text.ts'
import type { Settings } from '../../config/settings.ts'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import { tablesPlace } from '../runtime/shared-stores.ts'
import { FORMATS, type FormatName } from './formats.ts'
import { endWithParent, IN_CHILD, type Statement } from './statement.ts'

/** What the engine says about a statement, without the part that points at a place in it: one line. */
const firstSentences = (message: string) => (message.split('\n\n')[0] ?? '').replaceAll('\n', ' ')

/** The statement that arrives on stdin; the process ends where none does. */
async function readStatement(): Promise<Statement> {
  const sent = await text(process.stdin)
  if (sent === '') process.exit(0)
  return JSON.parse(sent) as Statement
}

/** Runs a statement; without one, that which arrives on stdin. The engine is prepared while it is typed; only then the warehouse is held. */
export async function runStatement(
  settings: Settings,
  { unsafe = false, format }: { unsafe?: boolean; format: FormatName },
  sql?: string,
): Promise<void> {
  endWithParent(Number(process.env[IN_CHILD]))
  const place = await tablesPlace(settings)
  let typed: Promise<Statement> | undefined
  const statement = async (): Promise<Statement> => {
    if (sql !== undefined) return { sql, format }
    typed ??= readStatement()
    return await typed
  }
  const options = { unsafe, whenPrepared: async () => void (await statement()) }
  const session = await openAnalystSession(
    settings.data_dir,
    place === undefined ? options : Object.assign(options, { place }),
  )
  try {
    const received = await statement()
    const { print, shape } = FORMATS[received.format]
    await print(await session.stream(received.sql, shape))
  } catch (cause) {
    if (cause instanceof HoldshortError) throw cause
    throw new UsageError(`sql: ${firstSentences(terminalLines((cause as Error).message))}`)
  } finally {
    await session.close()
  }
}

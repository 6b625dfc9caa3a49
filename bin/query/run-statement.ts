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

/** Runs a statement; without one, that which arrives on stdin. The engine is prepared while it is typed; only then the warehouse is held. */
export async function runStatement(
  settings: Settings,
  { unsafe = false, format }: { unsafe?: boolean; format: FormatName },
  sql?: string,
): Promise<void> {
  endWithParent(Number(process.env[IN_CHILD]))
  const place = await tablesPlace(settings)
  let statement: Statement | null = sql === undefined ? null : { sql, format }
  const whenPrepared = async () => {
    if (statement !== null) return
    const sent = await text(process.stdin)
    if (sent === '') process.exit(0)
    statement = JSON.parse(sent) as Statement
  }
  const options = { unsafe, whenPrepared }
  const session = await openAnalystSession(
    settings.data_dir,
    place === undefined ? options : Object.assign(options, { place }),
  )
  const received = statement as unknown as Statement
  try {
    const { print, shape } = FORMATS[received.format]
    await print(await session.stream(received.sql, shape))
  } catch (cause) {
    if (cause instanceof HoldshortError) throw cause
    throw new UsageError(`sql: ${firstSentences(terminalLines((cause as Error).message))}`)
  } finally {
    await session.close()
  }
}

import { text } from 'node:stream/consumers'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { terminalLines } from '../../config/outside-text.ts'
import type { Settings } from '../../config/settings.ts'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import { tablesPlace } from '../runtime/shared-stores.ts'
import { FORMATS } from './formats.ts'
import { endWithParent, IN_CHILD, type Statement } from './statement.ts'

/** What the engine says about a statement, without the part that points at a place in it: one line. */
const firstSentences = (message: string) => (message.split('\n\n')[0] ?? '').replaceAll('\n', ' ')

/** Runs the statement that arrives on stdin. The engine is prepared while it is typed; only then the warehouse is held. */
export async function runStatement(settings: Settings, { unsafe = false }: { unsafe?: boolean }): Promise<void> {
  endWithParent(Number(process.env[IN_CHILD]))
  const place = await tablesPlace(settings)
  let statement: Statement | null = null
  const whenPrepared = async () => {
    const received = await text(process.stdin)
    if (received === '') process.exit(0)
    statement = JSON.parse(received) as Statement
  }
  const options = { unsafe, whenPrepared }
  const session = await openAnalystSession(
    settings.data_dir,
    place === undefined ? options : Object.assign(options, { place }),
  )
  const { sql, format } = statement as unknown as Statement
  try {
    const { print, shape } = FORMATS[format]
    await print(await session.stream(sql, shape))
  } catch (cause) {
    if (cause instanceof HoldshortError) throw cause
    throw new UsageError(`sql: ${firstSentences(terminalLines((cause as Error).message))}`)
  } finally {
    await session.close()
  }
}

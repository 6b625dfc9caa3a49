import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { terminalLines } from '../../config/untrusted-text.ts'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import { makeFolder } from '../../warehouse/storage/files.ts'
import { tablesPlace } from '../runtime/shared-stores.ts'
import { FORMATS, type FormatName, type Write } from './formats.ts'
import { splitStatements } from './split-statements.ts'
import { IN_CHILD, type Statement, type StatementBegins } from './statement.ts'

/** Bytes that a result may have, as much as the engine may spill. */
const MAX_RESULT_BYTES = 4_000_000_000

/** The engine's message about a statement, in one line without its pointer to a place. */
const firstSentences = (message: string) => (message.split('\n\n')[0] ?? '').replaceAll('\n', ' ')

/** The next message of the process that started this one. */
async function nextMessage(): Promise<unknown> {
  const [message] = await once(process, 'message')
  return message
}

interface ResultOutput {
  write: Write
  close: () => Promise<void>
}

/**
 * Opens the output of a result: a file in the scratch folder, from which the process that started this one prints. It has no
 * name as soon as that process has opened it. If no process started this one, the result goes to stdout.
 */
async function openResult(dataDir: string, seconds: number): Promise<ResultOutput> {
  if (!process.send || process.env[IN_CHILD] === undefined)
    return { write: writeToStdout, close: async () => undefined }
  await makeFolder(dataDir, 'scratch', String(process.pid))
  const path = join(dataPaths(dataDir).scratch, String(process.pid), 'result')
  const file = await open(path, 'w', 0o600)
  let bytes = 0
  process.send({ result: path, seconds } satisfies StatementBegins)
  await nextMessage()
  rmSync(path, { force: true })
  return {
    write: async (text) => {
      const encoded = Buffer.from(text)
      bytes += encoded.length
      if (bytes > MAX_RESULT_BYTES)
        throw new UsageError(
          `sql: the result is larger than ${MAX_RESULT_BYTES / 1e9} GB; add a LIMIT or a WHERE, or write a file with --unsafe and COPY`,
        )
      await file.writeFile(encoded)
    },
    close: () => file.close(),
  }
}

const writeToStdout: Write = async (text) => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Suggests the name of the airport column: the engine compares names by their letters only. */
const airportHint = (message: string) =>
  /column "airport(_code|_id|_iata)?" not found/i.test(message) ? '. The airport is the column "iata"' : ''

/** Runs the statements of a text, and prints the result of each; without a text, that which arrives as a message. The engine is prepared while it is typed; only then the warehouse is held. */
export async function runStatement(
  settings: Settings,
  { unsafe = false, format, seconds }: { unsafe?: boolean; format: FormatName; seconds: number },
  sql?: string,
): Promise<void> {
  const place = await tablesPlace(settings)
  const statement = sql === undefined ? (nextMessage() as Promise<Statement>) : Promise.resolve({ sql, format })
  const options = { unsafe, whenPrepared: async () => void (await statement) }
  const session = await openAnalystSession(settings.data_dir, place === undefined ? options : { ...options, place })
  let output: ResultOutput | undefined
  try {
    const received = await statement
    output = await openResult(settings.data_dir, seconds)
    const { print, shape } = FORMATS[received.format]
    const { statements, rest } = splitStatements(received.sql)
    for (const statement of statements.length > 0 && rest === '' ? statements : [...statements, rest])
      await print(await session.stream(statement, shape), output.write)
  } catch (cause) {
    if (cause instanceof HoldshortError || (cause as NodeJS.ErrnoException).syscall !== undefined) throw cause
    const { message } = cause as Error
    throw new UsageError(`sql: ${firstSentences(terminalLines(message))}${airportHint(message)}`)
  } finally {
    await output?.close()
    await session.close()
    // The process that started this one may have been ended meanwhile.
    if (process.env[IN_CHILD] !== undefined && process.connected) process.disconnect()
  }
}

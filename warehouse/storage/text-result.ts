import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult, DuckDBType } from '@duckdb/node-api'
import { DuckDBArrayType, DuckDBListType, DuckDBStructType, DuckDBTypeId } from './duckdb-api.ts'
import { quoteName, quoteText } from './sql.ts'

/** How the cells of a column are to be read. */
export type CellKind =
  /** A word, an instant, a day: JSON has it in quotation marks. */
  | 'text'
  /** A number or a truth value: JSON has it as it is. */
  | 'plain'
  /** A list or a structure, as JSON. */
  | 'json'

export interface TextColumn {
  name: string
  kind: CellKind
}

/** The result of a statement whose cells are text: as many rows at a time as the engine gives, so that it may have any size. */
export interface TextResult {
  columns: TextColumn[]
  /** Whether the chunks have, in place of the columns, lines and cells as JSON (see `streamAsText`). */
  isLines: boolean
  /** Some rows at a time, column by column; a NULL is null. */
  chunks: AsyncIterable<(string | null)[][]>
}

const NUMBERS = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
])
const FRACTIONS = new Set([DuckDBTypeId.FLOAT, DuckDBTypeId.DOUBLE])
const LOCAL_TIMES = new Set([
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
])
const INSTANT_FORMAT = '%Y-%m-%dT%H:%M:%S'

/** SQL of a time in ISO 8601: whole seconds without a fraction. */
const isoTime = (time: string) =>
  `CASE WHEN microsecond(${time}) % 1000000 = 0 THEN strftime(${time}, '${INSTANT_FORMAT}') ELSE strftime(${time}, '${INSTANT_FORMAT}.%f') END`

function kindOf(type: DuckDBType): CellKind {
  const { typeId } = type
  if (NUMBERS.has(typeId) || FRACTIONS.has(typeId) || typeId === DuckDBTypeId.BOOLEAN) return 'plain'
  const isNested = [DuckDBListType, DuckDBArrayType, DuckDBStructType].some((nested) => type instanceof nested)
  return isNested || typeId === DuckDBTypeId.MAP ? 'json' : 'text'
}

/** SQL of a value as text. Instants are UTC and end in Z; a time without a zone is somebody's local time and has none. */
function textSql(type: DuckDBType, value: string): string {
  const { typeId } = type
  if (typeId === DuckDBTypeId.TIMESTAMP_TZ)
    return `CASE WHEN isfinite(${value}) THEN ${isoTime(`(${value} AT TIME ZONE 'UTC')`)} || 'Z' ELSE ${value}::VARCHAR END`
  if (LOCAL_TIMES.has(typeId))
    return `CASE WHEN isfinite(${value}::TIMESTAMP) THEN ${isoTime(`${value}::TIMESTAMP`)} ELSE ${value}::VARCHAR END`
  if (FRACTIONS.has(typeId)) return `regexp_replace(${value}::VARCHAR, '\\.0$', '')`
  return kindOf(type) === 'json' ? jsonSql(type, value, 0) : `${value}::VARCHAR`
}

/** SQL of a value inside a list or a structure, as JSON. */
function jsonSql(type: DuckDBType, value: string, depth: number): string {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    const entry = `e${depth}`
    const inner = jsonSql(type.valueType, entry, depth + 1)
    return `CASE WHEN ${value} IS NOT NULL THEN '[' || array_to_string(list_transform(${value}::${new DuckDBListType(type.valueType)}, lambda ${entry}: coalesce(${inner}, 'null')), ',') || ']' END`
  }
  if (type instanceof DuckDBStructType) {
    const fields = type.entryNames.map((name, index) => {
      const inner = jsonSql(type.entryTypes[index]!, `${value}.${quoteName(name)}`, depth + 1)
      return `${quoteText(`${JSON.stringify(name)}:`)} || coalesce(${inner}, 'null')`
    })
    return `CASE WHEN ${value} IS NOT NULL THEN '{' || ${fields.join(" || ',' || ")} || '}' END`
  }
  if (type.typeId === DuckDBTypeId.MAP) return `to_json(${value})::VARCHAR`
  if (FRACTIONS.has(type.typeId))
    return `CASE WHEN isfinite(${value}) THEN ${textSql(type, value)} WHEN ${value} IS NOT NULL THEN 'null' END`
  const text = textSql(type, value)
  return kindOf(type) === 'plain' ? text : `to_json(${text})::VARCHAR`
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The rows of a result whose columns are all VARCHAR. */
async function* textChunks(result: DuckDBResult): AsyncGenerator<(string | null)[][]> {
  const columns = result.columnCount
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const values: (string | null)[][] = []
    for (let column = 0; column < columns; column += 1) values.push(chunk.getColumnValues(column) as (string | null)[])
    yield values
  }
}

/** The rows of a statement that cannot stand inside another one, such as EXPLAIN. */
async function* otherChunks(result: DuckDBResult): AsyncGenerator<(string | null)[][]> {
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
    yield chunk
      .getColumns()
      .map((column) => column.map((value) => (value === null || isText(value) ? value : String(value))))
}

/** The columns of a prepared statement; names that occur again have a number. */
function columnsOf(statement: DuckDBPreparedStatement): { name: string; type: DuckDBType }[] {
  const seen = new Map<string, number>()
  return Array.from({ length: statement.columnCount }, (_, index) => {
    const name = statement.columnName(index)
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return { name: before === 0 ? name : `${name}_${before}`, type: statement.columnType(index) }
  })
}

/** A text that means the same wherever it stands: no quotation mark, no comma, nothing that a spreadsheet or a terminal would run. */
const HARMLESS = '([A-Za-z0-9_(\\[][ !#-+\\--~]*)?'

/** SQL of one VARCHAR column for each way in which a result can be written. */
const SHAPES = {
  cells: (texts: readonly string[]) => texts,
  /**
   * Two columns: a line of cells with commas between them, and where one of the texts is not harmless no line but the cells as
   * JSON. One text a row is much faster than one a cell.
   */
  lines: (texts: readonly string[], kinds: readonly CellKind[]) => {
    const doubtful = texts.filter((_, index) => kinds[index] !== 'plain')
    const isHarmless = doubtful.map((text) => `coalesce(regexp_full_match(${text}, '${HARMLESS}'), true)`)
    const line = texts.map((text) => `coalesce(${text}, '')`).join(" || ',' || ")
    const condition = isHarmless.length === 0 ? 'true' : isHarmless.join(' AND ')
    return [
      `CASE WHEN ${condition} THEN ${line} END`,
      `CASE WHEN NOT (${condition}) THEN to_json([${texts.join(', ')}])::VARCHAR END`,
    ]
  },
}

/**
 * Runs the statements of a text, and gives the result of the last one as text. A single SELECT is put into another one that
 * writes its cells: the engine does that on all its threads, and values never become objects here.
 * What cannot stand inside another statement, such as EXPLAIN, comes as cells whatever the shape.
 */
export async function streamAsText(
  connection: DuckDBConnection,
  sql: string,
  shape: keyof typeof SHAPES = 'cells',
): Promise<TextResult> {
  const statements = await connection.extractStatements(sql)
  for (let index = 0; index < statements.count - 1; index += 1) await (await statements.prepare(index)).run()
  const last = await statements.prepare(statements.count - 1)
  const columns = columnsOf(last)
  const wrapped = statements.count === 1 && columns.length > 0 ? await wrappedIn(connection, sql, columns, shape) : null
  const result = await (wrapped ?? last).stream()
  if (wrapped) {
    const described = columns.map(({ name, type }): TextColumn => ({ name, kind: kindOf(type) }))
    return { columns: described, isLines: shape === 'lines', chunks: textChunks(result) }
  }
  const described = result.columnNames().map((name): TextColumn => ({ name, kind: 'text' }))
  return { columns: described, isLines: false, chunks: otherChunks(result) }
}

async function wrappedIn(
  connection: DuckDBConnection,
  sql: string,
  columns: readonly { type: DuckDBType }[],
  shape: keyof typeof SHAPES,
): Promise<DuckDBPreparedStatement | null> {
  const names = columns.map((_, index) => `c${index}`)
  const cells = columns.map(({ type }, index) => `${textSql(type, `c${index}`)} AS c${index}`)
  const kinds = columns.map(({ type }) => kindOf(type))
  // A comment at the end of the statement must not hide the bracket, and what looks like an end may stand inside a text.
  for (const inner of new Set([sql, sql.replace(END, '')])) {
    const texts = `SELECT ${cells.join(', ')} FROM (\n${inner}\n) AS typed(${names.join(', ')})`
    const outer = `SELECT ${SHAPES[shape](names, kinds).join(', ')} FROM (${texts})`
    const prepared = await connection.prepare(outer).catch(() => null)
    if (prepared) return prepared
  }
  return null
}

/** The semicolon that ends a statement, with the spaces and comments after it. */
const END = /;(\s|;|--[^\n]*(\n|$)|\/\*[^*]*\*\/)*$/

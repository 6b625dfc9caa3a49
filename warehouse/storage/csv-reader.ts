/** A row of a CSV with the line on which it begins; the first line of the file is 1. */
export interface CsvRow {
  line: number
  fields: string[]
}

export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

const QUOTE = '"'
const MAX_HEADER_CHARACTERS = 1_000_000

/**
 * Reads the rows of a CSV (RFC 4180) from its text in pieces. Lines may end in LF, CRLF or CR, alike or not; within quotes they
 * are text. Blank lines, and rows without a value, are counted and left out. Without a delimiter the header decides: its most
 * frequent one, or the one of a first line `sep=;` as Excel writes it.
 */
export class CsvReader {
  /** The separator of values; null before the header was read. */
  delimiter: Delimiter | null = null
  readonly #given: Delimiter | null
  #line = 1
  #rowLine = 1
  #fields: string[] = []
  #field = ''
  #isQuoted = false
  /** A quote within quotes: the end of them, or half of a quote that is text. */
  #isPending = false
  #afterReturn = false
  /** The text before the delimiter is known. */
  #beginning = ''

  constructor(delimiter: Delimiter | null) {
    this.#given = delimiter
  }

  /** The rows that end in a piece of the text. */
  push(piece: string): CsvRow[] {
    if (this.delimiter !== null) return this.#read(piece)
    this.#beginning += piece
    if (this.#beginning.length > MAX_HEADER_CHARACTERS) throw new Error('its first line has no end')
    const begun = beginningOf(this.#beginning)
    return begun === null ? [] : this.#begin(begun)
  }

  /** The rows that end with the text. @throws Error for a quote that is not closed */
  end(): CsvRow[] {
    const rows = this.delimiter === null ? this.#begin(beginningOf(`${this.#beginning}\n`)) : []
    if (this.#isQuoted && !this.#isPending) throw new Error(`a quote in the row of line ${this.#rowLine} is not closed`)
    return [...rows, ...this.#endRow()]
  }

  #begin(begun: { delimiter: Delimiter; skipped: number } | null): CsvRow[] {
    const text = this.#beginning.slice(begun?.skipped ?? 0)
    if (begun && begun.skipped > 0) {
      this.#line = 2
      this.#rowLine = 2
    }
    this.#beginning = ''
    this.delimiter = this.#given ?? begun?.delimiter ?? ','
    return this.#read(text)
  }

  #read(text: string): CsvRow[] {
    const rows: CsvRow[] = []
    let begin = 0
    const take = (end: number) => {
      if (end > begin) this.#field += text.slice(begin, end)
      begin = end + 1
    }
    for (let index = 0; index < text.length; index++) {
      const sign = text[index]!
      if (this.#isQuoted) {
        if (this.#isPending) {
          this.#isPending = false
          if (sign === QUOTE) {
            // The second half of a quote that is text.
            this.#field += QUOTE
            begin = index + 1
            continue
          }
          this.#isQuoted = false
          begin = index
        } else {
          if (sign === QUOTE) {
            take(index)
            this.#isPending = true
          } else if (isLineEnd(sign, text[index - 1], index === 0 && this.#afterReturn)) this.#line++
          continue
        }
      }
      if (sign === QUOTE && this.#field === '' && begin === index) {
        this.#isQuoted = true
        begin = index + 1
      } else if (sign === this.delimiter) {
        take(index)
        this.#endField()
      } else if (sign === '\n' || sign === '\r') {
        const isSecondHalf = sign === '\n' && (index === 0 ? this.#afterReturn : text[index - 1] === '\r')
        take(index)
        if (isSecondHalf) continue
        rows.push(...this.#endRow())
        this.#line++
        this.#rowLine = this.#line
      }
    }
    if (!this.#isPending) take(text.length)
    if (text !== '') this.#afterReturn = text.endsWith('\r')
    return rows
  }

  #endField(): void {
    this.#fields.push(this.#field)
    this.#field = ''
  }

  #endRow(): CsvRow[] {
    this.#endField()
    const fields = this.#fields
    this.#fields = []
    this.#isQuoted = false
    this.#isPending = false
    return fields.every((field) => field.trim() === '') ? [] : [{ line: this.#rowLine, fields }]
  }
}

/** Whether a sign within quotes ends a line: LF, or CR alone; of CRLF the LF was counted with its CR. */
const isLineEnd = (sign: string, before: string | undefined, afterReturn: boolean) =>
  sign === '\r' || (sign === '\n' && before !== '\r' && !afterReturn)

/** The delimiter by the first line that has a value, and how many characters of a line `sep=;` come before; null while it is not there. */
function beginningOf(text: string): { delimiter: Delimiter; skipped: number } | null {
  const stated = /^sep=([,;\t|])\r?\n/i.exec(text)
  if (/^sep=.?\r?$/i.test(text)) return null
  if (stated) return { delimiter: stated[1] as Delimiter, skipped: stated[0].length }
  const header = /^\s*(?:[^"\r\n]|"[^"]*")*[\r\n]/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '')
  if (header === undefined || header.trim() === '') return null
  const count = (delimiter: Delimiter) => header.split(delimiter).length
  return { delimiter: DELIMITERS.toSorted((a, b) => count(b) - count(a))[0]!, skipped: 0 }
}

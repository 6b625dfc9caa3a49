import { SingleBar } from 'cli-progress'
import { terminalJson, terminalLines, terminalText } from '../../config/untrusted-text.ts'

const LINE_INTERVAL_MS = 5_000

/** Prints a result on stdout: as JSON with `--json`, otherwise as text, or as the lines of one. */
export function print(result: unknown, json: boolean | undefined, text: () => string | readonly string[]): void {
  if (json) printJson(result)
  else printLines([text()].flat().join('\n'))
}

/** Prints a value on stdout as JSON that no terminal takes for a command. */
export function printJson(value: unknown): void {
  process.stdout.write(`${terminalJson(JSON.stringify(value, null, 2))}\n`)
}

/** Prints lines on stdout; what a terminal would take for a command is shown as an escape. */
export function printLines(lines: string): void {
  process.stdout.write(`${terminalLines(lines)}\n`)
}

/**
 * Prints on stdout what nothing can show again, such as a key. If it cannot be written, `takeBack` ends what it would have opened.
 * @throws the system's error, after that
 */
export async function printOnce(lines: string, takeBack: () => Promise<unknown>): Promise<void> {
  // Otherwise a listener of the program ends the process before anything is taken back.
  process.stdout.removeAllListeners('error').on('error', () => undefined)
  const text = `${terminalLines(lines)}\n`
  const fault = await new Promise<Error | null | undefined>((resolve) => process.stdout.write(text, resolve))
  if (!fault) return
  await takeBack()
  throw fault
}

/** Writes lines to stderr, in the same way. */
export function printError(lines: string): void {
  process.stderr.write(`${terminalLines(lines)}\n`)
}

/** `12.3 MB`. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Renders a plain-text table; null cells are shown as a dash, and a cell never leaves its line. */
export function textTable(header: string[], rows: (string | number | null)[][]): string {
  const cells = [header, ...rows.map((row) => row.map((cell) => (cell === null ? '–' : terminalText(String(cell)))))]
  const widths = header.map((_, i) => cells.reduce((width, row) => Math.max(width, row[i]?.length ?? 0), 0))
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export interface Progress {
  update: (done: number, total: number, note?: string) => void
  end: (note?: string) => void
}

/** Shows the progress of a long step on stderr: a bar on a terminal, elsewhere a plain line every few seconds. */
export function progress(title: string): Progress {
  return process.stderr.isTTY ? bar(title) : lines(title)
}

function bar(title: string): Progress {
  const single = new SingleBar({
    format: `${title.padEnd(34)} {bar} {percentage}% {note}`,
    barsize: 28,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: false,
    stream: process.stderr,
  })
  single.start(1, 0, { note: '' })
  return {
    update: (done, total, note = '') => {
      single.setTotal(Math.max(1, total))
      single.update(done, { note: terminalText(note) })
    },
    end: (note = '') => {
      single.update(single.getTotal(), { note: terminalText(note) })
      single.stop()
    },
  }
}

function lines(title: string): Progress {
  const started = Date.now()
  let lastWritten = started
  const write = (text: string) => printError(terminalText(`${title}: ${text}`))
  return {
    update: (done, total, note = '') => {
      if (Date.now() - lastWritten < LINE_INTERVAL_MS) return
      lastWritten = Date.now()
      write(`${Math.round((100 * done) / Math.max(1, total))} % ${note}`)
    },
    end: (note = '') => write(`done in ${((Date.now() - started) / 1_000).toFixed(1)} s ${note}`),
  }
}

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The operating system's facts about a process of this machine. */
export interface OtherProcess {
  /** Its program and script, or its command of ours, like `holdshort query`. */
  name: string
  /** When it was started; null if the system does not tell. */
  started_at: string | null
}

/** The ticks of a second in which Linux counts the start of a process; the same on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100
const INTERPRETER = /^(?:node|bun|deno|python[\d.]*|R|Rscript|ruby|perl|java)$/

/** The words of a command as a name: no option and no value, which may be a secret. */
export function commandName(words: readonly string[], program: string): string {
  const own = basename(program || (words[0] ?? ''))
  if (!INTERPRETER.test(own)) return own === 'holdshort' ? nameOfOurs(words, 0) : own
  // Options of the interpreter, and their values, stand before the script.
  const ours = words.findIndex((word, place) => place > 0 && /(?:^|\/)holdshort(?:\.js)?$/.test(word))
  if (ours > 0) return nameOfOurs(words, ours)
  const script = words.slice(1).find((word) => !word.startsWith('-') && /\.\w{1,4}$/.test(word))
  return script === undefined ? own : `${own} ${basename(script)}`
}

function nameOfOurs(words: readonly string[], place: number): string {
  const command = words.slice(place + 1).find((word) => !word.startsWith('-'))
  return command !== undefined && /^[a-z-]+$/.test(command) ? `holdshort ${command}` : 'holdshort'
}

/** A process of this machine by its id; `program` is what is known of it already. */
export function otherProcess(pid: number, program: string): OtherProcess {
  try {
    return process.platform === 'linux' ? processFromProc(pid, program) : processFromPs(pid, program)
  } catch {
    return { name: basename(program), started_at: null }
  }
}

function processFromProc(pid: number, program: string): OtherProcess {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may have spaces; the start is the 20th word after it.
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  const boot_s = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1])
  const started_ms = (boot_s + ticks / TICKS_PER_SECOND) * 1_000
  return { name: commandName(words, program), started_at: instantOf(started_ms) }
}

function processFromPs(pid: number, program: string): OtherProcess {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const read = (field: string) =>
    execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { env, encoding: 'utf8', timeout: 2_000 }).trim()
  return {
    name: commandName(read('args').split(/\s+/), program),
    started_at: instantOf(Date.parse(`${read('lstart')} UTC`)),
  }
}

/** In whole seconds, because the start of the machine is known no better. */
const instantOf = (ms: number): string | null =>
  Number.isFinite(ms) ? new Date(Math.floor(ms / 1_000) * 1_000).toISOString() : null

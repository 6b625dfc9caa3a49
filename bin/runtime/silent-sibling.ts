import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'

/** A supervisor's message to its other children about a silent one; 0 seconds when it gives signs again. */
const Silence = z.strictObject({
  kind: z.literal('silence'),
  name: z.string(),
  pid: z.int().nullable(),
  silent_seconds: z.int(),
  limit_seconds: z.number(),
})
type Silence = z.infer<typeof Silence>

/** Reports a silent process to another child. */
export function reportSilence(child: ChildProcess, silence: Omit<Silence, 'kind'>): void {
  // It may be ending, and then it needs no news.
  if (child.connected) child.send({ kind: 'silence', ...silence }, () => undefined)
}

/** Listens to the supervisor of this process. Returns the fault of another process of it that gives no sign of life; null while there is none. */
export function listenForSilence(): () => HoldshortError | null {
  const silent = new Map<string, Silence>()
  process.on('message', (message) => {
    const { data } = Silence.safeParse(message)
    if (data) silent.set(data.name, data)
  })
  return () => {
    const found = [...silent.values()].find(({ silent_seconds }) => silent_seconds > 0)
    if (!found) return null
    const { name, pid, silent_seconds, limit_seconds } = found
    return new HoldshortError(
      'PROCESS_SILENT',
      `the ${name}${pid === null ? '' : ` (process ${pid})`} has given no sign of life for ${silent_seconds} s; after ${limit_seconds} s it is killed and started again`,
    )
  }
}

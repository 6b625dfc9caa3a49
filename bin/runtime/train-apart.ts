import { spawn } from 'node:child_process'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { environmentOf } from './environment.ts'
import { lowerPriority } from './lower-priority.ts'
import { stdioWithLife, watchedBy, watchLife } from './signs-of-life.ts'
import { CLI } from './supervised-child.ts'

/**
 * Trains in a separate process, so that collecting and publishing continue. It has the lowest priority for the processor: it
 * may take long, and the api and the pipeline never wait for it.
 */
export function trainApart(settings: Settings, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, 'train', '--allow-none'], {
      env: environmentOf(settings, watchedBy(process.pid)),
      stdio: stdioWithLife('ignore'),
      signal,
    })
    if (child.pid !== undefined) lowerPriority('training', child.pid)
    child.on('error', reject)
    const onKill = () =>
      reject(new HoldshortError('PROCESS_SILENT', 'the training gave no sign of life and was killed'))
    watchLife(child, { limit_ms: settings.silence_seconds * 1_000, onKill })
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`training ended with ${code}`))))
  })
}

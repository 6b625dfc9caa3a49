import { spawn } from 'node:child_process'
import type { Settings } from '../../config/settings.ts'
import { environmentOf } from './environment.ts'
import { lowerPriority } from './lower-priority.ts'
import { CLI } from './supervise.ts'
import { SUPERVISOR_PID } from './watch-parent.ts'

/**
 * Trains in a separate process, so that collecting and publishing continue. It has the lowest priority for the processor: it
 * may take long, and the api and the pipeline never wait for it.
 */
export function trainApart(settings: Settings, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, 'train', '--allow-none'], {
      env: environmentOf(settings, { [SUPERVISOR_PID]: String(process.pid) }),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      signal,
    })
    if (child.pid !== undefined) lowerPriority('training', child.pid)
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`training ended with ${code}`))))
  })
}

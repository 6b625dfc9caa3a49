import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * Ends what a run of faults has started, also when the run itself was killed: it reads on stdin which processes and folders
 * there are, one `+pid 12`, `-pid 12` or `folder /tmp/…` a line, and when stdin ends it kills the processes and removes the
 * folders.
 */
const pids = new Set<number>()
const folders = new Set<string>()

createInterface(process.stdin)
  .on('line', (line) => {
    const [word, named = ''] = line.split(/ (.*)/s)
    if (word === '+pid') pids.add(Number(named))
    else if (word === '-pid') pids.delete(Number(named))
    else if (word === 'folder') folders.add(named)
  })
  .on('close', () => {
    for (const pid of pids) {
      try {
        // Also one that is frozen.
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has already ended.
      }
    }
    // Killed processes may have files on their way to the disk.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  })

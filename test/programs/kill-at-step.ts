/**
 * Preloaded into a command (`--import`): kills its process before its nth change below a folder. Each change is one call of Node.js;
 * `KILL_STEP` is n and `KILL_BELOW` the folder.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const below = process.env['KILL_BELOW'] ?? ''
let left = Number(process.env['KILL_STEP'])

const ASYNC = ['chmod', 'copyFile', 'link', 'mkdir', 'open', 'rename', 'rm', 'rmdir', 'writeFile'] as const
const SYNC = ['openSync', 'writeFileSync', 'mkdirSync', 'rmSync', 'renameSync', 'createWriteStream'] as const

function watch(holder: object, names: readonly string[]): void {
  const calls = holder as Record<string, (...args: unknown[]) => unknown>
  for (const name of names) {
    const call = calls[name]!
    calls[name] = (...args) => {
      if (args.some((arg) => typeof arg === 'string' && arg.startsWith(below))) {
        left -= 1
        if (left < 0) process.kill(process.pid, 'SIGKILL')
      }
      return Reflect.apply(call, holder, args)
    }
  }
}

watch(fs.promises, ASYNC)
watch(fs, SYNC)
syncBuiltinESMExports()

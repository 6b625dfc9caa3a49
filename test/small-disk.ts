import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** Mounts a disk of so many bytes on a folder, which it makes where it is missing, until the test ends; false where this user or this system cannot. */
export function mountSmallDisk(folder: string, bytes: number, access: 'rw' | 'ro' = 'rw'): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},${access}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return true
}

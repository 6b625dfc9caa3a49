import { readdir, readFile } from 'node:fs/promises'

/** Clock ticks a second of Linux's process table: USER_HZ, which is 100 on every platform that Node.js supports. */
const TICKS_PER_SECOND = 100

/** The fields of `/proc/<pid>/stat` after the name of the program; empty for a process that has ended. */
async function statFields(pid: number | string): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Ids of a process and all its descendants, from Linux's process table. */
export async function processTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    parents.set(Number(name), Number((await statFields(name))[1]))
  }
  const members = [root]
  for (const member of members) for (const [child, parent] of parents) if (parent === member) members.push(child)
  return members
}

/** CPU time of a process and all its descendants in seconds, those that have ended and were waited for included. */
export async function cpuSecondsOf(root: number): Promise<number> {
  const ticks = (await processTree(root)).map(async (pid) => {
    // utime, stime, cutime and cstime.
    const times = (await statFields(pid)).slice(11, 15)
    return times.reduce((sum, time) => sum + Number(time), 0)
  })
  return (await Promise.all(ticks)).reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND
}

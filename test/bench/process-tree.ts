import { readdir, readFile } from 'node:fs/promises'

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

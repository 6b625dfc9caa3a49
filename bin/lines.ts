import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFile } from '../config/paths.ts'

/** Prints the lines of TypeScript of each room beside those of the table in ARCHITECTURE.md, so that growth is seen. It never fails. */
const stated = new Map(
  [...readFileSync(projectFile('ARCHITECTURE.md'), 'utf8').matchAll(/^\| `(\w+)\/` \| ([\d,]+) \|$/gm)].map(
    ([, room, lines]) => [room!, Number(lines!.replaceAll(',', ''))],
  ),
)

function linesOf(room: string): number {
  const files = readdirSync(projectFile(room), { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && !file.parentPath.includes('node_modules'))
    .reduce((sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name), 'utf8').split('\n').length - 1, 0)
}

for (const [room, lines] of stated) {
  const actual = linesOf(room)
  const change = `${actual < lines ? '−' : '+'}${Math.abs(actual - lines)}`
  process.stdout.write(
    `${`${room}/`.padEnd(12)} ${String(actual).padStart(7)} lines, ARCHITECTURE.md says ${String(lines).padStart(7)} (${change})\n`,
  )
}

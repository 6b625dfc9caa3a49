import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, open, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'

/** Something that may happen to a file. `other` is another file of the same kind; `random` is in 0…1. */
export type Harm = (path: string, other: string, random: () => number) => Promise<void>

async function cutTo(path: string, share: number): Promise<void> {
  const { length } = await readFile(path)
  await truncate(path, Math.min(Math.floor(length * share), Math.max(0, length - 1)))
}

/** Everything that the suite does to one file. */
export const HARMS: Record<string, Harm> = {
  'cut to nothing': (path) => truncate(path, 0),
  'cut to a few bytes': (path) => cutTo(path, 0.02),
  'cut in its middle': (path) => cutTo(path, 0.5),
  'cut by one byte': (path) => cutTo(path, 1),
  'a bit flipped': async (path, _other, random) => {
    const bytes = await readFile(path)
    const position = Math.floor(random() * bytes.length)
    bytes[position] = (bytes[position] ?? 0) ^ (1 << Math.floor(random() * 8))
    await writeFile(path, bytes)
  },
  'a block overwritten': async (path, _other, random) => {
    const { length } = await readFile(path)
    const file = await open(path, 'r+')
    const block = Buffer.from(Array.from({ length: Math.min(512, length) }, () => Math.floor(random() * 256)))
    await file.write(block, 0, block.length, Math.floor(random() * Math.max(1, length - block.length)))
    await file.close()
  },
  missing: (path) => rm(path),
  'swapped with another': async (path, other) => {
    const [first, two] = await Promise.all([readFile(path), readFile(other)])
    await writeFile(path, two)
    await writeFile(other, first)
  },
  'replaced by another': (path, other) => copyFile(other, path),
  'a pipe in its place': async (path) => {
    await rm(path)
    execFileSync('mkfifo', [path])
  },
  'a link that leads nowhere': async (path) => {
    await rm(path)
    await symlink(`${path}-nowhere`, path)
  },
  'a folder in its place': async (path) => {
    await rm(path)
    await mkdir(path)
  },
}

/** `FAULTS_SEED=1000 FAULTS_ROUNDS=10 npm run faults -- drawn` draws ten times as many faults, from this seed on. */
export const SEED = Number(process.env.FAULTS_SEED ?? 1)
export const ROUNDS = Number(process.env.FAULTS_ROUNDS ?? 1)

/** The seeds of so many drawn faults: each fault can be drawn again alone, by its seed. */
export const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => SEED + index)

/** Drawn faults by kind, each counted when nothing is lost or doubled and every refusal was followed to the end of its way out. */
export class DrawnFaults {
  readonly #counts: Record<string, { drawn: number; refused: number }> = {}

  count(kind: string, isRefused: boolean): void {
    const { drawn, refused } = this.#counts[kind] ?? { drawn: 0, refused: 0 }
    this.#counts[kind] = { drawn: drawn + 1, refused: refused + Number(isRefused) }
  }

  print(where: string): void {
    process.stdout.write(`drawn faults of ${where}, from seed ${SEED}: ${JSON.stringify(this.#counts)}\n`)
  }
}

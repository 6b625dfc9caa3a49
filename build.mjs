/**
 * Puts the modules of each program into few files below `dist/`: Node takes a third of a millisecond for every file that it loads,
 * and a service has 600 modules. Packages stay outside. The name of a part holds the hash of what is in it, so a service that
 * runs still finds its parts when the project is built anew, and the file of a program changes with any of them.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { rolldown } from 'rolldown'

/** What is started or imported by the path of its file: by users, by other programs and by our own processes. */
const SERVICE = ['bin/holdshort', 'bin/library', 'bin/runtime/compute-tasks']

const modulesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replace(/\.ts$/, '')}`)

/** Programs of those who work on the project, and what its tests start: never shipped. */
const OF_DEVELOPERS = [
  'bin/generate',
  'bin/lines',
  'bin/sbom',
  'bin/learn/main',
  'config/airports/build/build',
  'config/reference/build/build',
  'config/time-zones/build/build',
  ...modulesIn('tools/bench'),
  ...modulesIn('tools/chaos'),
  ...modulesIn('tools/measure'),
  ...modulesIn('tools/soak'),
  ...modulesIn('test/programs'),
]

const DAY_MS = 86_400_000

const builtAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Writes programs and their parts. Parts of the build before, and of all in the day before that, stay for the services that run. */
async function write(programs, parts) {
  const before = builtAt(`dist/${programs[0]}.js`)
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((path) => [path, `${path}.ts`])),
    platform: 'node',
    transform: { target: 'es2023' },
    // All but our own modules, and the few lines that stand for `await using`, which Node 20 does not know.
    external: (id) => /^[@a-z]/.test(id) && !id.startsWith('@oxc-project/'),
    onLog: (_level, { message }) => {
      throw new Error(message)
    },
  })
  await bundle.write({ dir: 'dist', chunkFileNames: `${parts}/[name]-[hash].js`, sourcemap: true })
  for (const name of readdirSync(`dist/${parts}`)) {
    const path = `dist/${parts}/${name}`
    if (before - builtAt(path) > DAY_MS) rmSync(path)
  }
}

await write(SERVICE, 'parts')
await write(OF_DEVELOPERS, 'test/parts')

// HOLDSHORT_DATA_DIR=data node notebooks/run.mjs notebooks/thanksgiving.ipynb
// Runs the code cells of a notebook in order, as one module; `show` prints rows as JSON lines.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [path] = process.argv.slice(2)
const { cells } = JSON.parse(readFileSync(path, 'utf8'))
const code = cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''))
globalThis.show = (rows) => {
  for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`)
}
// Beside the notebook, so that `holdshort` is found.
const module = `${path}.${process.pid}.mjs`
writeFileSync(module, code.join('\n'))
try {
  await import(pathToFileURL(module))
} finally {
  rmSync(module, { force: true })
}

// HOLDSHORT_DATA_DIR=data node notebooks/run.mjs notebooks/thanksgiving.ipynb
// Runs the code cells of a notebook in order; `show` prints rows as JSON lines.
import { readFileSync } from 'node:fs'
import { openCells } from './cells.mjs'

const [path] = process.argv.slice(2)
const { cells } = JSON.parse(readFileSync(path, 'utf8'))
const { evaluate, close } = openCells((text) => process.stdout.write(text))
for (const { cell_type, source } of cells) if (cell_type === 'code') await evaluate(source.join(''))
close()

// Runs cells of JavaScript one after the other, as a notebook does: each sees what those before it declared, may await, and
// may import. `show` prints rows as JSON lines. As a program it reads cells as lines of JSON, and answers each with one.

import { createInterface } from 'node:readline'
import { start } from 'node:repl'
import { PassThrough, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

/** `import { a as b } from 'x'` as a declaration, because only modules have imports. */
const declared = (code) =>
  code.replace(
    /^import\s+(\{[^}]*\}|\w+)\s+from\s+(['"][^'"]+['"])/gm,
    (_, names, from) =>
      `const ${names.startsWith('{') ? names.replaceAll(' as ', ': ') : `{ default: ${names} }`} = await import(${from})`,
  )

/** Opens an evaluator; `print` gets what `show` prints. A cell that throws rejects. */
export function openCells(print) {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const server = start({ input: new PassThrough(), output: nothing, terminal: false, prompt: '' })
  server.context.show = (rows) => {
    for (const row of rows) print(`${JSON.stringify(row)}\n`)
  }
  const evaluate = (code) =>
    new Promise((resolve, reject) => {
      server.eval(`${declared(code)}\n`, server.context, 'cell', (error, value) =>
        error ? reject(error) : resolve(value),
      )
    })
  return { evaluate, close: () => server.close() }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  let output = ''
  const { evaluate, close } = openCells((text) => {
    output += text
  })
  for await (const line of createInterface({ input: process.stdin })) {
    output = ''
    const error = await evaluate(JSON.parse(line)).then(
      () => null,
      (cause) => ({
        name: cause.name ?? 'Error',
        message: String(cause.message ?? cause),
        stack: String(cause.stack ?? ''),
      }),
    )
    process.stdout.write(`${JSON.stringify({ output, error })}\n`)
  }
  close()
}

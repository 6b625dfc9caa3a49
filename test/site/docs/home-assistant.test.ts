import { spawnSync } from 'node:child_process'
import { lexer, type Tokens } from 'marked'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { projectText } from '../../../config/project-text.ts'
import { TIERS } from '../../../config/tiers.ts'
import { snapshotAt } from '../../api/example-snapshot.ts'
import { shareHarness } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'

const { call, controls } = shareHarness()

const id = z.string().regex(/^holdshort_[a-z_]+$/)

/** The options of https://www.home-assistant.io/integrations/rest/ and /template/ that the listing uses. */
const Configuration = z.strictObject({
  rest: z.array(
    z.strictObject({
      resource: z.url(),
      scan_interval: z.int().min(1),
      headers: z.strictObject({ Authorization: z.literal('!secret holdshort_key') }),
      sensor: z.array(
        z.strictObject({
          name: z.string(),
          unique_id: id,
          value_template: z.string(),
          json_attributes_path: z
            .string()
            .regex(/^\$\.\w+$/)
            .optional(),
          json_attributes: z.array(z.string()),
        }),
      ),
    }),
  ),
  template: z.tuple([
    z.strictObject({
      sensor: z.array(
        z.strictObject({
          name: z.string(),
          unique_id: id,
          state: z.string(),
          unit_of_measurement: z.literal('min'),
          device_class: z.literal('duration'),
          state_class: z.literal('measurement'),
        }),
      ),
    }),
  ]),
})

/** The configuration that people copy, with each secret as its text. */
const configuration = () => {
  const listing = lexer(projectText('docs/use/home-assistant.md')).find(
    (token) => token.type === 'code' && (token as Tokens.Code).lang?.includes('configuration.yaml'),
  ) as Tokens.Code
  const secret = { tag: '!secret', resolve: (name: string) => `!secret ${name}` }
  const document = parseDocument(listing.text, { customTags: [secret] })
  expect(document.errors).toEqual([])
  return Configuration.parse(document.toJS())
}

/** The part of an answer that the attributes of a sensor are fields of. */
const attributesOf = (answer: Record<string, object>, path: string | undefined) =>
  path === undefined ? answer : answer[path.slice(2)]

test('the sensors have the format of the client, their attributes are fields of the answers, and they stay within the tiers', async () => {
  const { rest } = configuration()
  for (const { resource, sensor } of rest) {
    const answer = (await call('pro', new URL(resource).pathname)).json()
    for (const { json_attributes, json_attributes_path } of sensor)
      for (const name of json_attributes)
        expect(Object.keys(attributesOf(answer, json_attributes_path)!), resource).toContain(name)
  }
  const [waits = 0, delays = 0] = rest.map(({ scan_interval }) => (31 * 86_400) / scan_interval)
  expect(waits).toBeLessThanOrEqual(TIERS.pro.calls_per_month)
  expect(delays).toBeLessThanOrEqual(TIERS.free.calls_per_month)
  expect([waits, delays]).toEqual([2_976, 744])
})

/**
 * Renders as the client does: a sensor of `rest` has a state and attributes, and a template reads those by `state_attr`; what is
 * none is the state `unknown`.
 */
const RENDER = `import json, re, sys, jinja2
rest, templates = json.load(sys.stdin)
environment = jinja2.Environment()
attributes = {}
states = {}
for sensor in rest:
    entity = "sensor." + re.sub("[^a-z0-9]+", "_", sensor["name"].lower())
    states[sensor["name"]] = environment.from_string(sensor["value_template"]).render({"value_json": sensor["value_json"]})
    attributes[entity] = sensor["attributes"]
environment.globals["state_attr"] = lambda entity, name: attributes[entity].get(name)
for sensor in templates:
    state = environment.from_string(sensor["state"]).render()
    states[sensor["name"]] = "unknown" if state == "None" else state
print(json.dumps(states))`

/** The states of all sensors for the answers that a caller gets. */
async function statesFor(key: 'pro' | 'free' | null): Promise<Record<string, string>> {
  const { rest, template } = configuration()
  const sensors = []
  for (const { resource, sensor } of rest) {
    const value_json = (await call(key, new URL(resource).pathname)).json()
    for (const template of sensor)
      sensors.push({
        ...template,
        value_json,
        attributes: attributesOf(value_json, template.json_attributes_path) ?? {},
      })
  }
  const input = JSON.stringify([sensors, template[0].sensor])
  const { stdout, stderr } = spawnSync('python3', ['-c', RENDER], { input, encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const hasJinja = spawnSync('python3', ['-c', 'import jinja2']).status === 0

test.runIf(EXHAUSTIVE && hasJinja)('the templates give numbers, or unknown for no data and for errors', async () => {
  const known = await statesFor('pro')
  expect(known).toMatchObject({ 'JFK security': 'open', 'JFK security wait': '14', 'JFK delays': 'ground_delay' })
  expect(known['JFK security wait in the next hour']).toMatch(/^\d+$/)
  const unknown = {
    'JFK security': 'unknown',
    'JFK next hour': 'unknown',
    'JFK security wait': 'unknown',
    'JFK security wait in the next hour': 'unknown',
  }
  expect(await statesFor('free')).toEqual({ ...unknown, 'JFK delays': 'ground_delay' })
  expect(await statesFor(null)).toEqual({ ...unknown, 'JFK delays': 'unknown' })
  controls.snapshot = snapshotAt(controls.now, { id: 'unknown', queues: {}, forecasts: [] })
  expect(await statesFor('pro')).toMatchObject(unknown)
})

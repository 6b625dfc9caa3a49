// node training/examples/node.mjs <data>/models/security/JFK/JFK@2026-11-20T04Z
import { readFileSync } from 'node:fs'
import * as tfCore from '@tensorflow/tfjs-core'
import * as tfLayers from '@tensorflow/tfjs-layers'
import '@tensorflow/tfjs-backend-cpu'
import { forecast } from './forecast.mjs'

const folder = process.argv[2]
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))
const { modelTopology, weightsManifest } = read('model.json')
const weightData = new Uint8Array(readFileSync(`${folder}/weights.bin`)).buffer
const weightSpecs = weightsManifest[0].weights
const model = await tfLayers.loadLayersModel({ load: async () => ({ modelTopology, weightSpecs, weightData }) })
const [card, features, { rows }] = [read('card.json'), read('features.json'), read('examples.json')]

for (const row of rows) {
  const made = forecast(tfCore, model, card, features, row)
  process.stdout.write(
    `${JSON.stringify({ terminal: row.terminal, horizon: row.horizon, made, served: row.served })}\n`,
  )
}

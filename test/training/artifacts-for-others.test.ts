import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { FEATURES } from '../../forecasting/features/inputs.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { saveArtifact } from '../../training/artifacts/artifact.ts'
import { exampleRows } from '../../training/artifacts/example-rows.ts'
import { trainingSettings } from '../../training/settings/training-settings.ts'
import { trainSeries } from '../../training/train.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { fakeSeries, peaks, START } from './fake-series.ts'

interface Made {
  made: Record<string, number>
  served: Record<string, number>
}

/** A small trained model in its folder. */
async function trainedFolder(): Promise<string> {
  const days = 36
  const cutoff_ms = START + days * DAY_MS
  const series = [fakeSeries(days, peaks(1)), fakeSeries(days, peaks(2), { terminal: '4' })]
  const settings = trainingSettings({
    seeds: [1, 2],
    fit: { origin_step_hours: 24 },
    backtest: { hold_out_days: 5, every_hours: 24, refit_days: 365, burn_in_days: 6 },
  })
  const { trained } = await trainSeries(series, { kind: 'security', cutoff_ms, trained_ms: cutoff_ms, settings })
  const { card, net, examples } = trained[0]!.artifact
  expect(examples).toHaveLength(16)
  // A net of so short a history serves nowhere; here it does, so that its part in the forecasts is compared.
  const calibration = card.calibration.map((entry) => ({ ...entry, served: 'model' as const }))
  const served = { ...card, served: 'model' as const, net_share: 0.7, calibration }
  const rows = exampleRows({ net, share: 0.7 }, calibration, series.map(prepareSeries), cutoff_ms)
  return saveArtifact(join(await temporaryFolder(), 'models'), { card: served, net, examples: rows })
}

function expectSame(rows: readonly Made[]): void {
  expect(rows).toHaveLength(16)
  for (const { made, served } of rows)
    for (const [name, value] of Object.entries(served)) expect(made[name], name).toBeCloseTo(value, 3)
}

test.runIf(EXHAUSTIVE)(
  'a model folder says everything that plain TensorFlow.js needs: in Node and in a browser the forecasts are ours',
  async () => {
    const folder = await trainedFolder()
    const specification = JSON.parse(await readFile(join(folder, 'features.json'), 'utf8'))
    expect(specification.inputs.map(({ name }: { name: string }) => name)).toEqual([...FEATURES])
    for (const { name, formula } of specification.inputs) expect(formula, name).not.toBe('')

    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [projectFile('training', 'examples', 'node.mjs'), folder])
    expectSame(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Made),
    )

    const bundle = (name: string) =>
      projectFile('node_modules', '@tensorflow', `tfjs-${name}`, 'dist', `tf-${name}.min.js`)
    // The median is not calibrated, so that it can be compared.
    const { rows } = JSON.parse(await readFile(join(folder, 'examples.json'), 'utf8')) as {
      rows: { served: { p50: number } }[]
    }
    const python = await run('python3', [projectFile('training', 'examples', 'score.py'), folder])
    const byPython = python.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { model: number[] }).model[1])
    expect(byPython).toHaveLength(rows.length)
    for (const [k, { served }] of rows.entries()) expect(byPython[k]).toBeCloseTo(served.p50, 3)

    const BUNDLES: Record<string, string> = {
      '/tf/core.js': bundle('core'),
      '/tf/cpu.js': bundle('backend-cpu'),
      '/tf/layers.js': bundle('layers'),
    }
    const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' }
    const server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url!, 'http://localhost')
      const path =
        BUNDLES[pathname] ??
        (pathname.startsWith('/model/')
          ? join(folder, pathname.slice('/model/'.length))
          : projectFile('training', 'examples', pathname.slice(1)))
      const content = await readFile(path).catch(() => null)
      response.writeHead(content ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' })
      response.end(content ?? '')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const endpoint = inject('chromium')
    expect(endpoint, 'Chromium is installed').not.toBeNull()
    const browser = await chromium.connect(endpoint!)
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/browser.html?model=/model`)
    await page.waitForFunction("document.querySelector('#result').textContent !== ''", undefined, { timeout: 60_000 })
    expectSame(JSON.parse((await page.textContent('#result'))!))
  },
  120_000,
)

test.runIf(EXHAUSTIVE)('the package can be imported by its name', async () => {
  const code = `const { version, airportDirectory, openWarehouse, loadModel } = await import('holdshort')
    const { card } = await loadModel(${JSON.stringify(projectFile('test', 'training', 'fixtures', 'model-v4'))})
    console.log(JSON.stringify([version, airportDirectory().byIata.get('JFK').city, typeof openWarehouse, card.iata]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd: projectFile(),
  })
  expect(JSON.parse(stdout)).toEqual([expect.stringMatching(/^\d/), 'New York', 'function', 'JFK'])
})

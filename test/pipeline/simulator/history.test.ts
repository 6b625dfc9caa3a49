import { PassThrough } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { exportHistory, type HistoryOptions } from '../../../pipeline/simulator/history.ts'
import { NOW, runningSimulator } from './running-simulator.ts'

const { fetchFrom } = runningSimulator()
const MINUTE = Math.floor(NOW / 60_000) * 60_000

async function exported(options: Omit<HistoryOptions, 'seed'>): Promise<{ bytes: Buffer; rows: number }> {
  const chunks: Buffer[] = []
  const sink = new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => sink.on('end', resolve))
  const rows = await exportHistory({ seed: 7, ...options }, sink)
  await ended
  return { bytes: Buffer.concat(chunks), rows }
}
const lines = (bytes: Buffer) => bytes.toString('utf8').trim().split('\n')
const instant = { kind: 'security', from: MINUTE, to: MINUTE + 60_000, step_minutes: 1 } as const

describe('the history of the simulated world', () => {
  it('agrees with the live sites at an instant', async () => {
    const rows = lines((await exported(instant)).bytes).slice(1)
    const sea = (await (await fetchFrom('www.portseattle.org/api/cwt/wait-times')).json()) as Record<string, unknown>[]
    const live = sea
      .filter((row) => row.IsDataAvailable === true || row.IsOpen === false)
      .map((row) => `SEA,,${row.Name},${row.IsOpen ? `${row.WaitTimeMinutes},,,open` : ',,,closed'}`)
    const listed = rows
      .filter((row) => row.startsWith('SEA'))
      .map((row) => row.replace(/,(all|standard|precheck),[^,]+/, ''))
    expect(listed).toEqual(live)
    expect(listed.length).toBeGreaterThan(3)
    const yul = await (
      await fetchFrom('www.catsa-acsta.gc.ca/en/airport/montreal-trudeau-international-airport')
    ).text()
    const bands = [...yul.matchAll(/>(?:(\d+)-(\d+) min|(Less than 5) min)</g)].map((cell) =>
      cell[3] ? '0,5' : `${cell[1]},${cell[2]}`,
    )
    const yulRows = rows
      .filter((row) => /^YUL.*\d,open$/.test(row))
      .map((row) => row.split(',').slice(-3, -1).join(','))
    expect(yulRows).toEqual(bands)
    expect(bands.length).toBeGreaterThan(0)
  })

  it('quotes names with commas, counts its rows, and compresses on request', async () => {
    const plain = await exported(instant)
    expect(lines(plain.bytes)[0]).toBe(
      'airport,terminal,checkpoint,lane,observed_at,wait_minutes,wait_low,wait_high,status',
    )
    expect(plain.bytes.toString()).toContain('EWR,B,"Main ChekPoint, gates 40-49",standard,2026-11-20T22:00:00Z,')
    expect(lines(plain.bytes)).toHaveLength(plain.rows + 1)
    const packed = await exported({ ...instant, gzip: true })
    expect(packed.rows).toBe(plain.rows)
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
  })

  it('uses the given step, reports progress to 1, and excludes the end', async () => {
    const seen: number[] = []
    const { bytes } = await exported({
      kind: 'security',
      from: MINUTE - 3_600_000,
      to: MINUTE,
      step_minutes: 20,
      onProgress: (done) => seen.push(done),
    })
    const times = new Set(lines(bytes).flatMap((line) => line.match(/2026-[^,]+Z/)?.[0] ?? []))
    expect([...times]).toEqual(['2026-11-20T21:00:00Z', '2026-11-20T21:20:00Z', '2026-11-20T21:40:00Z'])
    expect(seen.at(-1)).toBe(1)
  })

  it('exports passport control as CBP publishes it, two days late', async () => {
    const { bytes } = await exported({ kind: 'immigration', from: NOW - 10 * DAY_MS, to: NOW })
    const rows = lines(bytes).map((line) => line.split(','))
    expect(rows[0]).toHaveLength(11)
    const body = JSON.stringify({ Id: 'A392', FromDate: '2026-11-15', ToDate: '2026-11-15' })
    const answer = await fetchFrom('awt.cbp.gov/api/waitTime', { method: 'POST', body })
    const { Items } = (await answer.json()) as { Items: Record<string, unknown>[] }
    const live = Items.map((row) => [row.AverageWait, row.MaxWait, row.TotalPassengerCount, row.FlightCount].join())
    const listed = rows.filter((row) => row[2] === 'A392' && row[10]!.startsWith('2026-11-15'))
    expect(listed.map((row) => row.slice(5, 9).join())).toEqual(live)
    const ofCbp = rows.slice(1).filter(([airport]) => airport !== 'ZRH')
    const newest = Math.max(...ofCbp.map((row) => Date.parse(row[4]!)))
    expect(NOW - newest).toBeGreaterThan(2 * DAY_MS)
  })

  it('exports what live feeds published about passport queues, entry and exit, to the end', async () => {
    const { bytes } = await exported({ kind: 'immigration', from: MINUTE - DAY_MS, to: MINUTE + 60_000 })
    const zurich = lines(bytes).filter((line) => line.startsWith('ZRH,'))
    const now = zurich.filter((line) => line.includes('2026-11-20T22:00:00Z'))
    const live = (await (await fetchFrom('waitingtimes.flughafen-zuerich.ch/WaitingTimes/pkh')).json()) as {
      passportControl: { identifier: string; waitingTime: string }[]
    }
    expect(now.map((line) => line.split(',')[2])).toEqual(live.passportControl.map(({ identifier }) => identifier))
    for (const [index, { waitingTime }] of live.passportControl.entries()) {
      const [low, high = low] = waitingTime.split('-').map(Number)
      const minutes = Number(now[index]!.split(',')[5])
      expect(minutes).toBeGreaterThanOrEqual(low!)
      expect(minutes).toBeLessThanOrEqual(high!)
    }
    expect(zurich.length).toBeGreaterThan(50)
    expect(zurich[0]!.split(',')).toHaveLength(11)
  })
})

import { expect, test } from 'vitest'
import { newestMaps } from '../../../../warehouse/publishing/gather/maps.ts'
import { loadSnapshot } from '../../../../warehouse/publishing/snapshot/load.ts'
import { writeSnapshot } from '../../../../warehouse/publishing/snapshot/write.ts'
import { type Place, places } from '../../../../warehouse/tables/places.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { emptyContent } from '../../snapshot-content.ts'

const NOW = Date.parse('2026-11-20T14:20:00Z')
const OCTOBER = { fetched_at: '2026-10-10T10:00:00Z', available_at: '2026-10-10T10:00:00Z' }

function place(over: Partial<Place> = {}): Place {
  return {
    source: 'openstreetmap',
    osm_type: 'way',
    osm_id: 1,
    iata: 'LHR',
    kind: 'terminal',
    name: 'Terminal 1',
    operator: null,
    ref: null,
    latitude: 51,
    longitude: 0,
    level: null,
    opening_hours: null,
    access: null,
    airside: null,
    fee: null,
    fetched_at: '2026-11-15T10:00:00Z',
    available_at: '2026-11-15T10:00:00Z',
    capture_id: 'c',
    ...over,
  }
}

async function mapsOf(rows: Place[]) {
  const warehouse = await newWarehouse()
  await warehouse.land(places, rows)
  return newestMaps(warehouse, NOW)
}

test('the newest map answer about an airport replaces earlier ones, so places that left the map are absent', async () => {
  const future = { fetched_at: '2026-11-21T10:00:00Z', available_at: '2026-11-21T10:00:00Z' }
  const maps = await mapsOf([
    place({ ...OCTOBER, name: 'Old name' }),
    place({ ...OCTOBER, osm_id: 2, name: 'Torn down' }),
    place(),
    place({ osm_type: 'node', osm_id: 1, kind: 'lounge', name: null, ref: 'L1', fee: 'yes' }),
    place({ osm_id: 3, name: null }),
    place({ ...OCTOBER, iata: 'ZRH', osm_id: 9 }),
    place({ ...future, osm_id: 4, name: 'Available tomorrow' }),
  ])
  expect(
    maps.map(({ iata, fetched_at, places }) => [iata, fetched_at, places.map(({ osm, name }) => [osm, name])]),
  ).toEqual([
    [
      'LHR',
      '2026-11-15T10:00:00Z',
      [
        ['node/1', null],
        ['way/1', 'Terminal 1'],
      ],
    ],
    ['ZRH', '2026-10-10T10:00:00Z', [['way/9', 'Terminal 1']]],
  ])
  expect(maps[0]?.places[0]).toMatchObject({ kind: 'lounge', ref: 'L1', fee: 'yes' })
})

test('an element found around two airports belongs to the newer answer', async () => {
  const maps = await mapsOf([place({ ...OCTOBER, iata: 'MEB' }), place({ iata: 'MEL' })])
  expect(maps.map(({ iata }) => iata)).toEqual(['MEL'])
})

test('a snapshot returns the published map', async () => {
  const folder = await temporaryFolder()
  const generated_at = '2026-11-20T14:20:00Z'
  const maps = await mapsOf([place()])
  await writeSnapshot(folder, emptyContent(generated_at, { maps: new Map([['LHR', JSON.stringify(maps[0])]]) }))
  expect((await loadSnapshot(folder))?.map('LHR')).toEqual(maps[0])
})

import { expect, test } from 'vitest'
import { newestMaps } from '../../../../warehouse/publishing/gather/maps.ts'
import { loadSnapshot } from '../../../../warehouse/publishing/snapshot/load.ts'
import { writeSnapshot } from '../../../../warehouse/publishing/snapshot/write.ts'
import { type Place, places } from '../../../../warehouse/tables/places.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { testValues } from '../../../values.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { emptyContent } from '../../snapshot-content.ts'

const NOW = Date.parse('2026-11-20T14:20:00Z')

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

testValues('warehouse/publishing/gather/maps.json', {
  published: (rows: Partial<Place>[]) => mapsOf(rows.map(place)),
})

test('a snapshot returns the published map', async () => {
  const folder = await temporaryFolder()
  const generated_at = '2026-11-20T14:20:00Z'
  const maps = await mapsOf([place()])
  await writeSnapshot(folder, emptyContent(generated_at, { maps: new Map([['LHR', JSON.stringify(maps[0])]]) }))
  expect((await loadSnapshot(folder))?.map('LHR')).toEqual(maps[0])
})

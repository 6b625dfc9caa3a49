import { newestTafs } from '../../../../warehouse/publishing/gather/weather.ts'
import { type Taf, tafs } from '../../../../warehouse/tables/weather.ts'
import { testValues } from '../../../values.ts'
import { newWarehouse } from '../../new-warehouse.ts'

const NOW = Date.parse('2026-11-20T14:20:00Z')

function period(over: Partial<Taf> = {}): Taf {
  return {
    source: 'awc-taf',
    icao: 'KJFK',
    issued_at: '2026-11-20T11:20:00Z',
    raw: 'TAF KJFK 201120Z',
    period_from: '2026-11-20T12:00:00Z',
    period_to: '2026-11-21T18:00:00Z',
    change: null,
    probability: null,
    wind_direction_deg: 310,
    wind_kt: 15,
    wind_gust_kt: null,
    visibility_sm: 6,
    visibility_bound: 'more_than',
    ceiling_ft: null,
    ceiling_known: true,
    weather: null,
    flight_category: 'VFR',
    fetched_at: '2026-11-20T11:30:00Z',
    available_at: '2026-11-20T11:30:00Z',
    capture_id: 'c',
    ...over,
  }
}

testValues('warehouse/publishing/gather/tafs.json', {
  published: async (rows: Partial<Taf>[]) => {
    const warehouse = await newWarehouse()
    await warehouse.land(tafs, rows.map(period))
    return newestTafs(warehouse, NOW)
  },
})

import { type Queue, queue } from './queue.ts'

/** AENA's access controls by ICAO code of the airport: the scale of each, in the order of their numbers. */
export const AENA_AIRPORTS: Record<string, { iata: string; scales: number[] }> = {
  LEMD: { iata: 'MAD', scales: [14, 12, 16, 13, 18] },
  LEBL: { iata: 'BCN', scales: [17, 12, 14] },
  LEPA: { iata: 'PMI', scales: [16, 14, 13] },
  LEMG: { iata: 'AGP', scales: [17, 13] },
  LEAL: { iata: 'ALC', scales: [15] },
  LEZL: { iata: 'SVQ', scales: [13] },
  LEBB: { iata: 'BIO', scales: [12] },
  LEIB: { iata: 'IBZ', scales: [14] },
  LEVC: { iata: 'VLC', scales: [13, 11] },
  GCTS: { iata: 'TFS', scales: [15, 12] },
  GCLP: { iata: 'LPA', scales: [13, 11] },
}

/** Palma's fast track; the list that names the others is another one. */
const FAST_TRACK = 'LEPA_S0003'

export const AENA: Queue[] = Object.entries(AENA_AIRPORTS).flatMap(([icao, { iata, scales }]) =>
  scales.map((scale, at) => {
    const checkpoint = `S000${at + 1}`
    const id = `${icao}_${checkpoint}`
    const never = iata === 'MAD' && at === 4
    return queue({
      iata,
      terminal: '',
      checkpoint,
      lane: id === FAST_TRACK ? 'priority' : 'all',
      scale,
      opens: never ? 0 : 4,
      closes: never ? 24 : 22.5,
      fields: { id },
    })
  }),
)

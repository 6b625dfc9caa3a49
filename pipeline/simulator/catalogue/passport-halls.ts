/** A passport hall of the simulated world: CBP's airport, terminal and site id. */
export interface Hall {
  iata: string
  airport_name: string
  site_id: string
  terminal_name: string
  /** Flights in its busiest hour. */
  flights: number
  /** Minutes of wait of visitors in its busiest hour. */
  scale: number
  /** Local hours of its two waves of arrivals. */
  waves: [number, number]
}

const ATL = 'Atlanta Hartsfield-Jackson Intl Airport'
const JFK = 'John F. Kennedy International Airport'
const LAX = 'Los Angeles International Airport'
const MIA = 'Miami International Airport'

export const HALLS: Hall[] = [
  {
    iata: 'ATL',
    airport_name: ATL,
    site_id: 'A171',
    terminal_name: 'Concourse E',
    flights: 6,
    scale: 19,
    waves: [14, 17],
  },
  {
    iata: 'ATL',
    airport_name: ATL,
    site_id: 'A174',
    terminal_name: 'Concourse F',
    flights: 9,
    scale: 24,
    waves: [15, 19],
  },
  {
    iata: 'JFK',
    airport_name: JFK,
    site_id: 'A471',
    terminal_name: 'Terminal 1',
    flights: 7,
    scale: 38,
    waves: [13, 19],
  },
  {
    iata: 'JFK',
    airport_name: JFK,
    site_id: 'A474',
    terminal_name: 'Terminal 4',
    flights: 10,
    scale: 34,
    waves: [14, 19],
  },
  {
    iata: 'JFK',
    airport_name: JFK,
    site_id: 'A478',
    terminal_name: 'Terminal 8',
    flights: 6,
    scale: 26,
    waves: [12, 18],
  },
  {
    iata: 'LAX',
    airport_name: LAX,
    site_id: 'A273',
    terminal_name: 'Tom Bradley International Terminal',
    flights: 11,
    scale: 30,
    waves: [13, 19],
  },
  {
    iata: 'LAX',
    airport_name: LAX,
    site_id: 'A278',
    terminal_name: 'Satellite 7',
    flights: 3,
    scale: 18,
    waves: [10, 16],
  },
  {
    iata: 'MIA',
    airport_name: MIA,
    site_id: 'A520',
    terminal_name: 'North Terminal',
    flights: 12,
    scale: 27,
    waves: [6, 16],
  },
  {
    iata: 'MIA',
    airport_name: MIA,
    site_id: 'A52G',
    terminal_name: 'South Terminal',
    flights: 6,
    scale: 32,
    waves: [5, 15],
  },
  {
    iata: 'ORD',
    airport_name: "Chicago O'Hare International Airport",
    site_id: 'A392',
    terminal_name: 'Terminal 5',
    flights: 10,
    scale: 29,
    waves: [13, 17],
  },
]

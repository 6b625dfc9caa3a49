import { createRequire } from 'node:module'
import { type GeoProjection, geoAlbersUsa, geoNaturalEarth1, geoPath } from 'd3-geo'
import { feature, mesh } from 'topojson-client'
import type { GeometryObject, Topology } from 'topojson-specification'
import type { Directory } from '../../config/airports/directory.ts'
import { memoizeByObject, once } from '../../config/once.ts'

/** A map of land and airports that every figure is drawn on. */
export interface BaseMap {
  width: number
  height: number
  /** The outline of the land, and lines within it; data of SVG paths. */
  land: string
  borders: string
  /** The position of a place on the map; null if it is off the map. */
  place: (location: { longitude: number; latitude: number }) => [x: number, y: number] | null
}

const readTopology = (file: string) => createRequire(import.meta.url)(file) as Topology<Record<string, GeometryObject>>

const WORLD_WIDTH = 1600
/** Without the Antarctic, where no airport of the directory lies. */
const WORLD_HEIGHT = 740

/** The world in the Natural Earth projection, with the land of the package world-atlas (Natural Earth, 1:110 million). */
export const worldMap = once((): BaseMap => {
  const projection = geoNaturalEarth1()
    .scale(WORLD_WIDTH / 5.35)
    .translate([WORLD_WIDTH / 2, 405])
    .clipExtent([
      [0, 0],
      [WORLD_WIDTH, WORLD_HEIGHT],
    ])
  const topology = readTopology('world-atlas/land-110m.json')
  const land = geoPath(projection).digits(0)(feature(topology, topology.objects['land']!)) ?? ''
  return {
    width: WORLD_WIDTH,
    height: WORLD_HEIGHT,
    land,
    borders: '',
    place: placer(projection, WORLD_WIDTH, WORLD_HEIGHT),
  }
})

const STATES_WIDTH = 975
const STATES_HEIGHT = 610

/** The United States, with Alaska and Hawaii beside them, as the package us-atlas has them (Census Bureau, 1:10 million). */
export const statesMap = once((): BaseMap => {
  const topology = readTopology('us-atlas/states-albers-10m.json')
  const path = geoPath().digits(0)
  const { nation, states: all } = topology.objects
  return {
    width: STATES_WIDTH,
    height: STATES_HEIGHT,
    land: withoutRepeats(path(feature(topology, nation!)) ?? ''),
    borders: withoutRepeats(path(mesh(topology, all, (a, b) => a !== b)) ?? ''),
    // The projection that the package's coordinates are in, by its documentation.
    place: placer(
      geoAlbersUsa()
        .scale(1300)
        .translate([STATES_WIDTH / 2, STATES_HEIGHT / 2]),
      STATES_WIDTH,
      STATES_HEIGHT,
    ),
  }
})

/** A path of a finer map has many points that fall on the same whole unit, and rings that shrink to one point. */
function withoutRepeats(path: string): string {
  return path.replace(/M[^M]+/g, (ring) => {
    const points = ring.slice(1).replace('Z', '').split('L')
    const distinct = points.filter((point, index) => point !== points[index - 1])
    if (distinct.length < 3) return ''
    return `M${distinct.join('L')}${ring.endsWith('Z') ? 'Z' : ''}`
  })
}

function placer(projection: GeoProjection, width: number, height: number): BaseMap['place'] {
  return ({ longitude, latitude }) => {
    const [x, y] = projection([longitude, latitude]) ?? [Number.NaN, Number.NaN]
    if (!(x >= 0 && x <= width && y >= 0 && y <= height)) return null
    return [Math.round(x), Math.round(y)]
  }
}

/** Dots of airports as the data of one path, drawn with round ends: far smaller than an element for each. */
function dotsPath(base: BaseMap, airports: Directory['all']): string {
  const places = new Set<number>()
  for (const airport of airports) {
    const position = base.place(airport)
    if (position) places.add(position[0] * 10_000 + position[1])
  }
  let [lastX, lastY] = [0, 0]
  const moves = [...places]
    .sort((a, b) => a - b)
    .map((place) => {
      const [x, y] = [Math.floor(place / 10_000), place % 10_000]
      const move = `m${x - lastX} ${y - lastY}h0`
      lastX = x
      lastY = y
      return move
    })
  return moves.join('').replaceAll(' -', '-')
}

/** All airports of the directory on the world map, as the data of two paths: those that airlines fly to, and the others. */
export const airportDots = memoizeByObject((directory: Directory) => {
  const dots = (isServed: boolean) =>
    dotsPath(
      worldMap(),
      directory.all.filter(({ scheduled_service }) => scheduled_service === isServed),
    )
  return { served: dots(true), other: dots(false) }
})

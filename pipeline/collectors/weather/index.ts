import { awcMetar } from '../awc-metar.ts'
import { awcTaf } from '../awc-taf.ts'

/** The collectors of the Aviation Weather Center. */
export const weatherCollectors = [awcMetar, awcTaf]

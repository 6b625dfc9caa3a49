import { AIRLINE_CHANGES } from './airline-changes.ts'
import { AIRLINE_CODES } from './airline-codes.ts'
import { AIRLINES } from './airlines.ts'
import { CABIN_BAGS, CHECKED_BAGS } from './bags.ts'
import { CLOSING_TIMES_FILE } from './closing-times.ts'
import { COUNTRIES } from './countries.ts'
import type { ReferenceFile } from './define-reference.ts'
import { DEPARTURE_STEPS_FILE } from './departure-steps.ts'
import { FAA_WORDS_FILE } from './faa-words.ts'
import { HOLIDAY_CLOSURES } from './holiday-closures.ts'
import { HOLIDAY_CORRECTIONS } from './holiday-corrections.ts'
import { HOLIDAY_DAYS } from './holiday-days.ts'
import { LOUNGES } from './lounges.ts'
import { FURTHER_METRO_CODES, METRO_CODES } from './metro-codes.ts'
import { MISHANDLED_BAGS } from './mishandled-bags.ts'
import { PEAK_VOLUMES } from './peak-volumes.ts'
import { PEAKS } from './peaks.ts'
import { PUBLIC_HOLIDAYS } from './public-holidays.ts'
import { RELATED_SERVERS } from './related-servers.ts'
import { BORDER_WAIT_FIGURES, BORDER_WAIT_PUBLISHERS, EES_FACTS, SCHENGEN_STATES } from './schengen.ts'
import { SCHOOL_HOLIDAYS } from './school-holidays.ts'
import { SECURITY_LANES } from './security-lanes.ts'
import { CLOSED_TERMINALS, FURTHER_TERMINALS, TERMINALS } from './terminals.ts'
import { WEATHER_ALERTS_FILE } from './weather-alerts.ts'

/** Every file of facts. A new one is a schema file here, its import in `build/` and a line in this list. */
export const REFERENCE_FILES: ReferenceFile<unknown>[] = [
  TERMINALS,
  LOUNGES,
  CHECKED_BAGS,
  CABIN_BAGS,
  MISHANDLED_BAGS,
  METRO_CODES,
  COUNTRIES,
  SCHENGEN_STATES,
  EES_FACTS,
  BORDER_WAIT_FIGURES,
  BORDER_WAIT_PUBLISHERS,
  PEAKS,
  PEAK_VOLUMES,
  PUBLIC_HOLIDAYS,
  HOLIDAY_DAYS,
  SECURITY_LANES,
  RELATED_SERVERS,
]

/** Files of facts that are written by hand, or by a program in Python. */
export const HAND_WRITTEN_FILES: ReferenceFile<unknown>[] = [
  AIRLINE_CHANGES,
  AIRLINE_CODES,
  AIRLINES,
  CLOSED_TERMINALS,
  CLOSING_TIMES_FILE,
  DEPARTURE_STEPS_FILE,
  FAA_WORDS_FILE,
  FURTHER_METRO_CODES,
  FURTHER_TERMINALS,
  HOLIDAY_CLOSURES,
  HOLIDAY_CORRECTIONS,
  SCHOOL_HOLIDAYS,
  WEATHER_ALERTS_FILE,
]

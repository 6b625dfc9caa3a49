import { definePublished } from './define-published.ts'

/** People screened by day (YYYY-MM-DD) in a whole country (ISO code). */
export interface ScreenedContent {
  screened: Record<string, Record<string, number>>
}

export const screened = definePublished({
  index: ({ screened: screenedByCountry }: ScreenedContent) => ({ screenedByCountry }),
  read: ({ screenedByCountry }: { screenedByCountry: ScreenedContent['screened'] }) => ({
    /** People screened in a whole country by day, of the last 13 months; empty if nothing is known. */
    screened: (country: string): Readonly<Record<string, number>> => screenedByCountry[country] ?? {},
  }),
})

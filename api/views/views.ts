import type { View } from './define-view.ts'

export const waitView: View = {
  uri: 'ui://holdshort/wait',
  name: 'wait',
  title: 'Wait at security and the hours ahead',
  description: 'The wait now with its source and age, and the forecast of the hours ahead as a band.',
}

export const departureView: View = {
  uri: 'ui://holdshort/departure',
  name: 'departure',
  title: 'When to leave for a flight',
  description: 'The probability of catching the flight by the time of leaving, as a curve, with the steps on the way.',
}

export const comparisonView: View = {
  uri: 'ui://holdshort/comparison',
  name: 'comparison',
  title: 'Airports side by side',
  description: 'Security waits with their ranges, delays and weather of two to five airports, and which to prefer.',
}

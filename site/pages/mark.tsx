import { PAINT } from '../../config/palette.ts'

const PAINTED = [{ y: 5.5 }, { y: 9.5 }, { y: 14.5, dashes: '4 2' }, { y: 18.5, dashes: '4 2' }]

/** The mark: the holding position marking of a taxiway, which the service is named after. Hold on the side of the solid lines. */
export const Mark = () => (
  <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
    <rect x=".5" y=".5" width="23" height="23" rx="5" fill={PAINT.asphalt} stroke={PAINT.signal} />
    {PAINTED.map(({ y, dashes }) => (
      <path d={`M4 ${y}h16`} stroke={PAINT.signal} stroke-width="2" stroke-dasharray={dashes} />
    ))}
  </svg>
)

const lines = PAINTED.map(
  ({ y, dashes }) => `<path d="M4 ${y}h16"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/>`,
)

const MARKING = `<g stroke="${PAINT.signal}" stroke-width="2">${lines.join('')}</g>`

/** The mark as a file. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="${PAINT.asphalt}"/>${MARKING}</svg>`

/** The mark on a ground that fills the square, for systems that cut its corners themselves: it stays within the circle that none cuts. */
export const FULL_ICON = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><rect width="24" height="24" fill="${PAINT.asphalt}"/><g transform="translate(4.8 4.8) scale(.6)">${MARKING}</g></svg>`

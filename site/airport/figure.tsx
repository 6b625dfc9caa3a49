import type { ComponentChildren } from 'preact'
import { agoText, capitalised, sourceText } from '../../answers/statements/text.ts'
import { TIERS } from '../../config/tiers.ts'
import type { Chart } from '../charts/chart.ts'
import { ChartSvg } from '../charts/frame.tsx'
import { Files } from '../pages/elements.tsx'
import type { Viewer } from '../pages/viewer.ts'
import type { Shown, Withheld } from './answers.ts'

interface FigureProps {
  id: string
  chart: Chart
  /** The address of the picture without its ending; null if its files are not offered. */
  address: string | null
  /** The parameters of that address, with their question mark. */
  query?: string
  /** Shown under the picture: facts that the headline above it lacks. The chart has its words for screen readers. */
  children?: ComponentChildren
}

/** A chart, and one menu for its files. */
export const Figure = ({ id, chart, address, query, children }: FigureProps) => (
  <figure class="picture">
    <ChartSvg chart={chart} id={id} />
    {(children || address !== null) && (
      <figcaption>
        {children}{' '}
        {address !== null && (
          <details class="use">
            <summary>Use this chart</summary> <Files address={address} query={query} />
          </details>
        )}
      </figcaption>
    )}
  </figure>
)

/** The source of a sentence. */
export const From = ({ source, age }: { source: string | null; age?: number | null }) => (
  <small class="from">
    {capitalised(sourceText(source))}
    {age === null || age === undefined ? '' : `,${agoText(age)}`}
  </small>
)

/** Why figures are not shown, and how to see them. */
export function NotShown({ withheld, viewer, next }: { withheld: Withheld; viewer: Viewer; next: string }) {
  const { reason, tier } = withheld
  const back = encodeURIComponent(next)
  const signIn = `/sign-in?next=${back}`
  const signUp = `/signup?next=${back}`
  return (
    <p class="withheld">
      {`Not shown here: ${reason}. `}
      {viewer.isSignedIn ? (
        tier !== null && (
          <>
            Your account is {TIERS[viewer.tier].name}: see <a href="/plans">the plans</a>.
          </>
        )
      ) : (
        <>
          <a href={signIn}>Sign in</a>
          {' or '}
          <a href={signUp}>sign up</a> to see it.
        </>
      )}
    </p>
  )
}

/** A part of the page that a visitor may or may not see. */
export function Maybe<T>({
  value,
  viewer,
  next,
  children,
}: {
  value: Shown<T>
  viewer: Viewer
  next: string
  children: (shown: T) => ComponentChildren
}) {
  if (value.withheld) return <NotShown withheld={value.withheld} viewer={viewer} next={next} />
  return <>{children(value.shown)}</>
}

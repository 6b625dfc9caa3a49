import type { Comparison } from '../../answers/questions/compare-airports.ts'
import { noDelayText } from '../../answers/statements/delay-text.ts'
import type { WaitStatement } from '../../answers/statements/wait.ts'
import type { AirportRequest } from '../airport/answers.ts'
import { cardStyle } from '../airport/card.ts'
import { levelClass, NewsLines } from '../airport/wait-card.tsx'
import { airportAddress, Sign, Table, unbroken } from '../pages/elements.tsx'

/**
 * The advantage of an airport if it is a reason to prefer it: not a minute or two, nor if its flights are held. The sentence
 * above the table gives the reason.
 */
function distinction(airport: string, { shortest_wait, recommended }: Comparison) {
  return airport === shortest_wait && airport === recommended ? <b class="better">shortest wait</b> : null
}

const closuresOf = ({ request: { airport }, card }: ComparedCard) =>
  card.closures.map((line) => `${airport.iata}: ${line}.`)

export interface ComparedCard {
  request: AirportRequest
  card: WaitStatement
}

/** The recommended airport and the closed ones, and the cards of the airports as rows: the same figures as on their own pages. */
export const ComparisonTable = ({ cards, comparison }: { cards: readonly ComparedCard[]; comparison: Comparison }) => (
  <>
    <p class="lead">{unbroken([comparison.recommendation, ...cards.flatMap(closuresOf)].join(' '))}</p>
    <Table
      label="Airports side by side"
      columns={['Airport', 'Security now', 'Next hour', 'Flights']}
      rows={cards.map(({ request: { airport, snapshot }, card }) => [
        <>
          <a href={airportAddress(airport.iata)}>
            <Sign code={airport.iata} />
          </a>{' '}
          {distinction(airport.iata, comparison)}
          <span>
            <bdi>{airport.name}</bdi>
          </span>
        </>,
        <td class={`compared-${card.kind}`}>
          <SecurityNow card={card} />
        </td>,
        <td class="whole">{card.next?.range ?? '–'}</td>,
        <>
          <NewsLines card={card} />
          {card.delay === null && <span>{noDelayText(snapshot.delays(airport.iata).status)}</span>}
        </>,
      ])}
    />
  </>
)

function SecurityNow({ card }: { card: WaitStatement }) {
  const { figure, detail, closures, known } = card
  const level = levelClass(cardStyle(card))
  return (
    <>
      <b>
        {level !== '' && <i class={`swatch ${level}`} />} {figure}
      </b>{' '}
      {detail}
      {closures.map((line) => (
        <b class="closed-part">{line}</b>
      ))}
      <span>{known}</span>
    </>
  )
}

import { DateTime } from 'luxon'
import { isoUtc } from '../../config/domain.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'
import type { SkillInterval } from '../../forecasting/skill/bootstrap.ts'
import { type Ablation, ablationSettings } from '../backtest/ablations.ts'
import { CONTENDERS, type Contender } from '../models/contenders.ts'
import { OPENING_RULES, type OpeningRule, type OpeningScore } from '../opening/measure-opening.ts'
import { DEFAULT_RUN_SETTINGS, digestOfSettings, type RunSettings } from '../settings/run-settings.ts'
import { coverageChart, escaped, reliabilityChart, skillChart, weekChart } from './charts.ts'
import type { AirportFigures, Miss, Reference, ReportFigures, SkillFigures } from './figures.ts'

export interface ReportCosts {
  wall_seconds: number
  cpu_seconds: number
  peak_memory_mb: number
}

/** What a report says beside its figures. */
export interface ReportContext {
  title: string
  /** The command that makes the same report again. */
  command: string
  version: string
  /** The folder or the warehouse. */
  source: string
  from_ms: number
  to_ms: number
  settings: RunSettings
  costs: ReportCosts
  ablations: readonly Ablation[]
  /** How well closed hours were foreseen, by hours ahead; null where it was not measured. */
  opening: readonly OpeningScore[] | null
}

const minutes = (value: number, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : '–')
function percent(share: number, digits = 1): string {
  if (!Number.isFinite(share)) return '–'
  const text = Math.abs(100 * share).toFixed(digits)
  return `${share < 0 && Number(text) > 0 ? '−' : ''}${text} %`
}
const interval = (of: SkillInterval | null) =>
  of ? `<b>${percent(of.skill)}</b> <span class="ci">${percent(of.low)} to ${percent(of.high)}</span>` : '–'
const count = (value: number) => value.toLocaleString('en-US')
const day = (ms: number) => isoUtc(ms).slice(0, 10)

const REFERENCE_NAMES: Record<Reference, string> = {
  baseline: 'same hour, 28 days',
  rule: 'rule (climatologies)',
  model: 'model everywhere',
  week_ago: 'same hour a week ago',
  week_hour: 'hour of week, 4 weeks',
  persistence: 'newest hour',
}

const CONTENDER_NAMES: Record<Contender, string> = { model: 'model', rule: 'rule', baseline: 'same hour' }

function bucketName({ from_hours, to_hours }: Pick<SkillFigures, 'from_hours' | 'to_hours'>): string {
  return to_hours - from_hours === 1 ? 'the current hour' : `${from_hours}–${to_hours - 1} h ahead`
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = header.map((cell, k) => `<th${k === 0 ? '' : ' class="n"'}>${cell}</th>`).join('')
  const body = rows
    .map(
      (row) =>
        `<tr>${row.map((cell, k) => (k === 0 ? `<th>${cell}</th>` : `<td class="n">${cell}</td>`)).join('')}</tr>`,
    )
    .join('')
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const figure = (chart: string, caption: string) => `<figure>${chart}<figcaption>${caption}</figcaption></figure>`

/** Renders a report as one HTML page that needs nothing else: no script, no font, no request. */
export function renderPage(figures: ReportFigures, context: ReportContext): string {
  const sections = [
    header(figures, context),
    summary(figures),
    skillSection(figures),
    airportSection(figures),
    calibrationSection(figures),
    sharpnessSection(figures),
    openingSection(context.opening),
    weekSection(figures),
    ablationSection(context),
    choiceSection(figures),
    missSection(figures.misses),
    methodSection(figures, context),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(context.title)}</title><style>${STYLE}</style></head>
<body><main>${sections.join('\n')}</main></body></html>
`
}

function header({ airports, overall }: ReportFigures, { title, from_ms, to_ms, source }: ReportContext): string {
  return `<header><h1>${escaped(title)}</h1>
<p>Rolling-origin backtest of what would have been served at each origin, by the past alone: ${airports.length} airports,
origins from ${day(from_ms)} to ${day(to_ms)}, ${count(overall.samples)} forecast hours that were observed. Data: ${escaped(source)}.</p></header>`
}

function summary({ overall, reliability, airports }: ReportFigures): string {
  const [baseline] = overall.references
  const { brier, constant_brier, expected_calibration_error } = reliability
  const clearly = (isMet: (of: SkillInterval) => boolean) =>
    airports.filter(({ skill }) => skill && isMet(skill)).length
  const tiles: [string, string][] = [
    [
      `${minutes(overall.mae_minutes)} min`,
      `mean absolute error; the same-hour median of 28 days has ${minutes(baseline!.mae_minutes)}`,
    ],
    [
      baseline?.mae_skill ? percent(baseline.mae_skill.skill) : '–',
      `less error than that median (95 %: ${baseline?.mae_skill ? `${percent(baseline.mae_skill.low)} to ${percent(baseline.mae_skill.high)}` : '–'})`,
    ],
    [percent(overall.coverage_80), 'of the hours inside p10–p90; 80 % is right'],
    [percent(1 - brier / constant_brier), 'lower Brier score of the confidence than a constant rate'],
    [expected_calibration_error.toFixed(3), 'expected calibration error of the confidence'],
    [
      `${clearly(({ low }) => low > 0)} / ${clearly(({ high }) => high < 0)}`,
      `of ${airports.length} airports significantly better / worse than the same-hour median`,
    ],
  ]
  return `<section class="tiles">${tiles.map(([value, text]) => `<div><strong>${value}</strong><span>${text}</span></div>`).join('')}</section>`
}

function skillSection({ overall, buckets }: ReportFigures): string {
  const named = buckets.filter(({ samples }) => samples > 0)
  const rows = [overall, ...named].map((bucket, k) => [
    k === 0 ? 'all hours' : bucketName(bucket),
    count(bucket.samples),
    minutes(bucket.mae_minutes),
    ...bucket.references.map((reference) => minutes(reference.mae_minutes)),
  ])
  const skills = [overall, ...named].map((bucket, k) => [
    k === 0 ? 'all hours' : bucketName(bucket),
    ...bucket.references.map((reference) => interval(reference.mae_skill)),
  ])
  const pinballs = [overall, ...named].map((bucket, k) => [
    k === 0 ? 'all hours' : bucketName(bucket),
    minutes(bucket.pinball_minutes, 3),
    ...bucket.references
      .filter(({ pinball_skill }) => pinball_skill)
      .map((reference) => interval(reference.pinball_skill)),
  ])
  const names = overall.references.map(({ name }) => REFERENCE_NAMES[name])
  const quantileNames = overall.references
    .filter(({ pinball_skill }) => pinball_skill)
    .map(({ name }) => REFERENCE_NAMES[name])
  const chart = skillChart(
    'Skill over the same-hour median by hours ahead',
    named.map((bucket) => ({ name: bucketName(bucket), interval: bucket.references[0]!.mae_skill })),
  )
  return `<section><h2>Skill by hours ahead</h2>
<p>Mean absolute error of the median in minutes; the mean over airports, each alike.</p>
${table(['', 'hours', 'served', ...names], rows)}
<p>Skill of what was served against each rule: 1 − the geometric mean over airports of the ratios of MAE. Beneath is the 95 % interval from
500 resamples of whole days, drawn for all airports at once.</p>
${table(['against', ...names], skills)}
${figure(chart, 'Skill over the trailing 28-day same-hour median, MAE. A whisker is the 95 % interval.')}
<p>The same for the pinball loss (mean of the quantiles 0.1, 0.5 and 0.9):</p>
${table(['', 'pinball, min', ...quantileNames], pinballs)}</section>`
}

function airportSection({ airports }: ReportFigures): string {
  const ranked = airports.toSorted((a, b) => (b.skill?.skill ?? -9) - (a.skill?.skill ?? -9))
  const chart = skillChart(
    'Skill by airport',
    ranked.map(({ iata, skill }) => ({ name: iata, interval: skill })),
  )
  const rows = ranked.map((of) => [
    of.iata,
    count(of.samples),
    minutes(of.mae_minutes),
    minutes(of.baseline_mae_minutes),
    interval(of.skill),
    minutes(of.pinball_minutes, 3),
    percent(of.coverage_80),
    percent(of.within_5),
  ])
  return `<section><h2>Skill by airport</h2>
${figure(chart, 'Skill over the same-hour median, MAE, all hours ahead.')}
${table(['airport', 'hours', 'MAE', 'same hour', 'skill', 'pinball', 'inside p10–p90', 'within 5 min'], rows)}</section>`
}

const BUCKET_AIM = [0.77, 0.83] as const
const AIRPORT_AIM = [0.72, 0.88] as const
/** With fewer hours, the coverage of an airport says little. */
const COVERAGE_HOURS = 500

function calibrationSection({ buckets, airports, reliability }: ReportFigures): string {
  const named = buckets.filter(({ samples }) => samples > 0)
  const known = airports.filter(({ samples }) => samples >= COVERAGE_HOURS)
  const outside = known.filter(({ coverage_80 }) => coverage_80 < AIRPORT_AIM[0] || coverage_80 > AIRPORT_AIM[1])
  const byBucket = coverageChart(
    'Coverage by hours ahead',
    named.map((bucket) => ({ name: bucketName(bucket), coverage: bucket.coverage_80, aim: BUCKET_AIM })),
  )
  const byAirport = coverageChart(
    'Coverage by airport',
    known.map(({ iata, coverage_80 }) => ({ name: iata, coverage: coverage_80, aim: AIRPORT_AIM })),
  )
  const { brier, constant_brier, expected_calibration_error } = reliability
  const outsideText =
    outside.length === 0
      ? 'None lies outside.'
      : `Outside: ${outside.map(({ iata, coverage_80 }) => `${iata} ${percent(coverage_80)}`).join(', ')}.`
  return `<section><h2>Calibration</h2>
<p>Hours inside p10–p90 as served, after rounding to whole minutes. 80 % is right; the shaded range is aimed at.</p>
${figure(byBucket, `Coverage by hours ahead: ${named.map((bucket) => `${bucketName(bucket)} ${percent(bucket.coverage_80)}`).join(', ')}.`)}
${figure(byAirport, `Coverage at airports with ${COVERAGE_HOURS} observed forecast hours or more. ${outsideText}`)}
${figure(reliabilityChart('Reliability of the confidence', reliability), `The probability of being within 5 minutes of the median: what was said and what happened. Expected calibration error ${expected_calibration_error.toFixed(4)}; Brier score ${brier.toFixed(4)}, ${percent(1 - brier / constant_brier)} below the constant rate (${constant_brier.toFixed(4)}).`)}</section>`
}

function sharpnessSection({ buckets }: ReportFigures): string {
  const rows = buckets
    .filter(({ samples }) => samples > 0)
    .map((bucket) => [
      bucketName(bucket),
      minutes(bucket.width.p10, 0),
      minutes(bucket.width.p50, 0),
      minutes(bucket.width.p90, 0),
      percent(bucket.coverage_80),
    ])
  return `<section><h2>Sharpness</h2>
<p>Width of p90 − p10 in minutes: a tenth of the intervals is narrower than the first figure, half than the second, nine tenths than the third.</p>
${table(['', '10 %', '50 %', '90 %', 'inside'], rows)}</section>`
}

const OPENING_NAMES: Record<OpeningRule, string> = {
  served: 'served',
  always_open: 'always open',
  yesterday: 'as yesterday',
  last_week: 'as last week',
  same_hour: 'local hour, 28 days',
}

function openingSection(opening: readonly OpeningScore[] | null): string {
  const title = '<section><h2>Closed hours</h2>'
  if (!opening) return `${title}<p>Not measured in this run.</p></section>`
  const known = opening.filter(({ samples }) => samples > 0)
  if (known.length === 0) return `${title}<p>No queue was closed in this span while its status was known.</p></section>`
  const rows = known.map((score) => [
    bucketName({ from_hours: score.from_hours, to_hours: score.to_hours }),
    count(score.samples),
    percent(1 - score.open),
    ...OPENING_RULES.map((rule) => score.brier[rule].toFixed(4)),
    percent(score.closed_when_called),
  ])
  const header = [
    '',
    'hours',
    'closed',
    ...OPENING_RULES.map((rule) => OPENING_NAMES[rule]),
    'closed when called closed',
  ]
  return `${title}<p>Brier score of the probability that a queue is closed, by hours ahead, beside simple rules; the mean over the airports that were closed at least
once. Issues every six hours, each by earlier hours alone.</p>${table(header, rows)}</section>`
}

function weekSection({ weeks }: ReportFigures): string {
  const drawn = weeks
    .filter(({ hours }) => hours.length > 0)
    .map((week) =>
      figure(
        weekChart(`${week.iata}: a week of forecasts`, week),
        `<b>${week.iata}</b>, ${day(week.hours[0]!.valid_ms)} to ${day(week.hours.at(-1)!.valid_ms)}, local time, minutes. Skill over the same-hour median in the whole span: ${week.skill === null ? '–' : percent(week.skill)}.`,
      ),
    )
  return `<section><h2>A week at four airports</h2>
<p>The airport with the best skill, the one with the worst, and two between (of those with 500 hours or more). Band: p10 to p90 of the newest forecast that was at least a day old; line: its median; dots: what
was observed, hollow and red outside the band.</p><div class="weeks">${drawn.join('')}</div></section>`
}

function ablationSection({ ablations, settings }: ReportContext): string {
  if (ablations.length === 0)
    return `<section><h2>Groups of inputs</h2><p>Not measured in this run; <code>--ablations</code> measures what each group of inputs is worth.</p></section>`
  const rows = ablations.map((of) => [escaped(of.group), String(of.inputs), interval(of.mae), interval(of.pinball)])
  const { seeds } = ablationSettings(settings)
  return `<section><h2>Groups of inputs</h2>
<p>The nets fitted again without each group of inputs: how much lower their error is with the group (positive: it helps). Where the
interval crosses 0, nothing can be said. These are nets alone, without the rule, of seed ${seeds[0]} and one fit before the span.</p>
${table(['group', 'inputs', 'MAE lower by', 'pinball lower by'], rows)}</section>`
}

function choiceSection({ airports }: ReportFigures): string {
  const simpler = airports.filter(({ served }) => served.model < 1)
  const rows = simpler.map((of: AirportFigures) => [
    of.iata,
    ...CONTENDERS.map((contender) => percent(of.served[contender], 0)),
    CONTENDER_NAMES[of.choice],
  ])
  const always = airports.length - simpler.length
  return `<section><h2>Which forecaster serves</h2>
<p>Each day the model serves, unless the rule or the same-hour median lost clearly less in the weeks before. At ${always} of ${airports.length} airports the model served every
hour${rows.length > 0 ? '; at the others:' : '.'}</p>
${rows.length > 0 ? table(['airport', ...CONTENDERS.map((name) => CONTENDER_NAMES[name]), 'next'], rows) : ''}</section>`
}

function missSection(misses: readonly Miss[]): string {
  const rows = misses.map((miss) => [
    miss.iata,
    localTime(miss),
    `${Math.round((miss.valid_ms - miss.issued_ms) / 3_600_000)} h`,
    `${minutes(miss.p50, 0)} <span class="ci">${minutes(miss.p10, 0)}–${minutes(miss.p90, 0)}</span>`,
    `<b>${minutes(miss.truth, 0)}</b>`,
    `<span class="text">${escaped(miss.known.join('; ') || 'nothing is known')}</span>`,
  ])
  return `<section><h2>Worst misses</h2>
<p>The largest errors, one for each airport and day, and what is known of them. Delay programs and weather are not in files of waits.</p>
<div class="last-left">${table(['airport', 'local time', 'ahead', 'forecast', 'observed', 'known'], rows)}</div></section>`
}

function localTime({ valid_ms, timezone }: Miss): string {
  const local = DateTime.fromMillis(valid_ms, { zone: zoneOf(timezone), locale: 'en-GB' })
  return escaped(local.toFormat('ccc, dd LLL, HH:mm'))
}

function methodSection({ airports, overall }: ReportFigures, context: ReportContext): string {
  const { settings, costs, command, version } = context
  const few = airports.filter(({ samples }) => samples < COVERAGE_HOURS).map(({ iata }) => iata)
  const changed = JSON.stringify(settings) === JSON.stringify(DEFAULT_RUN_SETTINGS) ? 'those of the release' : 'a file'
  return `<section><h2>Data, exclusions, costs</h2>
<ul>
<li>Truth: the hourly mean over open standard lanes. An hour that was not observed counts nowhere: ${count(overall.samples)} forecast hours remain.</li>
<li>An input counts from the instant at which it could have been known. Nets are fitted anew every ${settings.backtest.refit_days} days; calibration and choice are made each day from
earlier forecasts whose truths were known.</li>
<li>The first ${settings.backtest.burn_in_days} days before the span only teach calibration and choice and are not scored.</li>
<li>${few.length === 0 ? 'No airport is excluded.' : `Coverage is not drawn for ${few.join(', ')}: fewer than ${COVERAGE_HOURS} observed forecast hours. They count everywhere else.`}</li>
<li>Settings: ${changed}, digest <code>${digestOfSettings(settings)}</code>. Release ${escaped(version)}.</li>
<li>Cost: ${minutes(costs.wall_seconds, 0)} s, ${minutes(costs.cpu_seconds, 0)} s of CPU, at most ${count(Math.round(costs.peak_memory_mb))} MB of memory.</li>
</ul>
<p>The exact command:</p><pre><code>${escaped(command)}</code></pre>
<details><summary>All settings</summary><pre><code>${escaped(JSON.stringify(settings, null, 2))}</code></pre></details></section>`
}

const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--ink:#1b2733;--soft:#5a6875;--rule:#dde3e8;--panel:#f5f7f9;--main:#0b6fa4;--band:#9cc9e3;--good:#1a7f4b;--bad:#c0392b;--level:#8a6d1a;--aim:#d5eadd}
@media (prefers-color-scheme:dark){:root{--ground:#11181f;--ink:#e6ecf1;--soft:#9fadba;--rule:#2c3945;--panel:#1a242d;--main:#6cbce8;--band:#24506b;--good:#5fcf94;--bad:#ff8a7a;--level:#e0bd5c;--aim:#1f4231}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.25rem;margin:2.5rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--rule)}
p,li{max-width:46rem}
.tiles{display:grid;grid-template-columns:repeat(2,1fr);gap:.75rem;margin-top:1.25rem}
@media (min-width:40rem){.tiles{grid-template-columns:repeat(3,1fr)}}
.tiles div{background:var(--panel);border-radius:.5rem;padding:.75rem}
.tiles strong{display:block;font-size:1.45rem;line-height:1.2}
.tiles span,figcaption,.ci{color:var(--soft);font-size:.85rem}
.ci{white-space:nowrap}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.88rem;margin:.75rem 0;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--rule);text-align:left;font-weight:400;white-space:nowrap}
thead th{color:var(--soft);vertical-align:bottom;white-space:normal}
tbody th{font-weight:600}
.n{text-align:right}
td .ci{display:block;font-size:.78rem}
.text{display:block;white-space:normal;text-align:left;min-width:15rem}
.last-left th:last-child{text-align:left}
figure{margin:1rem 0;max-width:40rem}
.weeks{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem}
.weeks figure{margin:0}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--ink);font:13px system-ui,sans-serif}
svg .small{font-size:11px}
svg .note{fill:var(--soft)}
.grid{stroke:var(--rule)}
.axis{stroke:var(--soft)}
.zero{stroke:var(--soft);stroke-dasharray:4 3}
.whisker{stroke-width:2.5;stroke-linecap:round}
.dot.better{fill:var(--good)}.dot.worse{fill:var(--bad)}.dot.level{fill:var(--level)}
.whisker.better{stroke:var(--good)}.whisker.worse{stroke:var(--bad)}.whisker.level{stroke:var(--level)}
.aim{fill:var(--aim)}
.bar{fill:var(--band)}
.band{fill:var(--band);opacity:.75}
.median{fill:none;stroke:var(--main);stroke-width:1.6}
.truth{fill:var(--ink)}
.truth.outside{fill:var(--ground);stroke:var(--bad);stroke-width:1.4}
pre{background:var(--panel);padding:.75rem;border-radius:.5rem;overflow-x:auto;font-size:.82rem;white-space:pre-wrap;overflow-wrap:anywhere}
@media print{:root{color-scheme:light;--ground:#fff;--ink:#000;--soft:#444;--rule:#ccc;--panel:#f4f4f4;--main:#0b6fa4;--band:#b9d9ea;--good:#1a7f4b;--bad:#c0392b;--level:#8a6d1a;--aim:#d5eadd}body{font-size:10.5pt}main{max-width:none;padding:0}figure,tr,.tiles div{break-inside:avoid}h2{break-after:avoid}.scroll{overflow:visible}th,td{white-space:normal}}
`

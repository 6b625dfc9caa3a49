import { skill } from '../../forecasting/skill/metrics.ts'
import { type BenchmarkTask, REFERENCES, type ReferenceName } from './benchmark-task.ts'
import type { BenchmarkScores } from './scorer.ts'

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** The README of a benchmark: what it takes to beat the references, and to show it, for somebody who never heard of us. */
export function benchmarkReadme(task: BenchmarkTask, references: Record<ReferenceName, BenchmarkScores>): string {
  const { title, kind, simulated, may_be_passed_on, train, test, airports, sources, files, rules, measure, made_by } =
    task
  const baseline = references.same_hour.overall!
  const rows = Object.entries(REFERENCES).map(([name, about]) => {
    const { overall } = references[name as ReferenceName]
    const { samples, mae_minutes, pinball_minutes, coverage_80, within_5 } = overall!
    return `| \`${name}\` | ${about} | ${samples} | ${mae_minutes.toFixed(3)} | **${pinball_minutes.toFixed(4)}** | ${percent(skill(pinball_minutes, baseline.pinball_minutes))} | ${percent(coverage_80)} | ${percent(within_5)} |`
  })
  const horizons = task.horizon_buckets.map(([from, to], k) => {
    const cells = (Object.keys(REFERENCES) as ReferenceName[]).map(
      (name) => references[name].horizons[k]?.pinball_minutes?.toFixed(4) ?? '–',
    )
    return `| ${from} to ${to - 1} h | ${cells.join(' | ')} |`
  })
  return `---
pretty_name: ${JSON.stringify(title)}
license: other
license_name: per-source
license_link: README.md
language:
- en
task_categories:
- time-series-forecasting
tags:
- airports
- waiting-times
- benchmark${simulated ? '\n- simulated' : ''}
---

# ${title}

${simulated ? '> **SIMULATED.** Every wait was made by a simulator. A score here says nothing about real airports.\n\n' : ''}${may_be_passed_on ? '' : '> **Not to be passed on** as it is: the terms of some of its waits are unknown (see *Terms*).\n\n'}How long is the queue at ${kind === 'security' ? 'airport security' : 'passport control'} in each hour of the coming week? ${airports.length} airports, observed hour by hour. At each issue you know the past, and forecast three quantiles of the mean wait of the
next ${task.horizon_hours} hours. Made by ${made_by} from ${train.from} to ${test.last_issue}.

## The task

| span | from | to |
| --- | --- | --- |
| train | ${train.from} | ${train.to} |
| test: issues, every ${test.every_hours} hours | ${test.first_issue} | ${test.last_issue} |

${rules.map((rule) => `- ${rule}`).join('\n')}

**What counts:** ${measure}

| file | what |
| --- | --- |
| \`${files.history}\` | \`airport,hour,available_at,wait_minutes,readings\`: every observed hour up to the last issue. An hour that is absent was not observed: it is not zero |
| \`${files.issues}\` | \`airport,issued_at\`: when forecasts are issued |
| \`${files.truth}\` | \`airport,hour,wait_minutes\`: what came true. Only the scorers may read it |
| \`references/\` | forecasts to compare with, in the format of a submission |
| \`scores.json\` | their scores: overall, by hours ahead, by airport |
| \`score.py\`, \`score.mjs\` | the scorer, twice: Python 3.9 or Node.js 20, nothing to install; both give the same figures |
| \`task.json\` | all of this for programs |

## Beat these

| forecasts | what | hours | MAE, min | pinball, min | skill | inside 80 % | within 5 min |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}

Skill is 1 − pinball loss ÷ that of \`same_hour\`. Pinball loss by hours ahead:

| ahead | ${Object.keys(REFERENCES).join(' | ')} |
| --- | ${Object.keys(REFERENCES)
    .map(() => '---:')
    .join(' | ')} |
${horizons.join('\n')}

## Do it

1. \`python3 score.py --keys > keys.csv\` (or \`node score.mjs --keys\`) writes each row that is wanted: \`airport,issued_at,valid_at\`.
2. Add \`p10,p50,p90\` to each: minutes, in order. More columns do no harm. Instants need a zone (\`2026-11-21T00:00:00Z\`).
3. \`python3 score.py predictions.csv\` checks every row and prints your figures beside ours; \`--json\` for all of them; \`--partial\` scores what is there.

\`\`\`python
import csv, gzip

# The simplest submission: the forecasts of the same-hour rule, as they are.
rows = csv.DictReader(gzip.open('${files.references.same_hour}', 'rt'))
with open('predictions.csv', 'w', newline='') as out:
    writer = csv.DictWriter(out, ['airport', 'issued_at', 'valid_at', 'p10', 'p50', 'p90'], extrasaction='ignore')
    writer.writeheader()
    writer.writerows(rows)
\`\`\`

To show that you beat them: publish \`predictions.csv\` with the code that made it and the digest of \`task.json\` and \`${files.truth}\`. Anybody with this folder repeats your score with one command, and sees from the code that nothing after an issue was used.

## Terms

${simulated ? 'Simulated figures; see task.json.\n' : ''}| source | credit | licence | terms |
| --- | --- | --- | --- |
${sources.map(({ id, credit, licence, terms }) => `| \`${id}\` | ${credit} | ${licence ?? 'unknown: do not pass on'} | ${terms} |`).join('\n')}
`
}

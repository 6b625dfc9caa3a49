#!/usr/bin/env bash
# express-rate-limit 8.7.5 and ratelimit-header-parser 0.1.0 (npm), both of one organisation, on Express 5.3.0.
# The IETF draft of the RateLimit fields changed in its eighth version from `limit=2, remaining=1, reset=60` to items of structured fields,
# `"2-in-1min"; r=1; t=60`. The parser documents the seventh and "undefined if it fails to find any headers". It finds the field by its name,
# which did not change, and answers with an object of NaN and an invalid date, for a refused request as for a good one. A client
# that waits while `remaining < 1` never waits, since NaN is not below 1, and `new Date() < reset` is false for ever. Seen, of the third
# request of two:
#   draft-7 429 limit=2, remaining=0, reset=60 -> limit 2, remaining 0, a date: true, waits: true
#   draft-8 429 "2-in-1min"; r=0; t=60 -> limit NaN, remaining NaN, a date: false, waits: false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent express@5.3.0 express-rate-limit@8.7.5 ratelimit-header-parser@0.1.0
cat > seen.mjs <<'JS'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { parseRateLimit } from 'ratelimit-header-parser'

for (const standardHeaders of ['draft-7', 'draft-8']) {
  const app = express().use(rateLimit({ windowMs: 60_000, limit: 2, standardHeaders, legacyHeaders: false }))
  app.get('/', (_, answer) => answer.send('ok'))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  let answer
  for (let call = 0; call < 3; call++) answer = await fetch(`http://127.0.0.1:${server.address().port}/`)
  const { limit, remaining, reset } = parseRateLimit(answer)
  const field = answer.headers.get('ratelimit').replace(/\b(reset|t)=\d+/, '$1=60')
  console.log(`${standardHeaders} ${answer.status} ${field} -> limit ${limit}, remaining ${remaining}, a date: ${!Number.isNaN(reset.getTime())}, waits: ${remaining < 1}`)
  server.close()
}
JS
node seen.mjs | tee seen
diff - seen <<'SEEN'
draft-7 429 limit=2, remaining=0, reset=60 -> limit 2, remaining 0, a date: true, waits: true
draft-8 429 "2-in-1min"; r=0; t=60 -> limit NaN, remaining NaN, a date: false, waits: false
SEEN

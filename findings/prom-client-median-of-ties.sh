#!/usr/bin/env bash
# prom-client 15.1.3 (npm), tdigest 0.1.3 (npm) and 0.5.2.2 (PyPI), against fastdigest 0.12.0 (PyPI), t-digest 3.3 (Maven Central) and sorting.
# A Summary of prom-client keeps its quantiles in a t-digest, a sketch of many values. Waits are often whole minutes, or steps of five, so that a
# few values repeat. The two older implementations put equal values on one centroid and draw a line from its middle to that of the next one, however many
# values are the same: the quantile leaves a value long before its last one. Of 1,000 travellers 550 did not wait, 300 waited for 5 minutes
# and 150 for 20: the median is 2.6 minutes, and nine of ten waited for at most 18, waits that nobody had, of three values that need no
# sketch. Of the four waits 10, 10, 10 and 60 the median is 22.5. More data does not help. Newer implementations take account of
# equal values; tdigest (npm) does in its discrete mode, which prom-client does not use. Seen, quantiles 0.5, 0.8, 0.9:
#   sorted             0.0 5.0 20.0; of four 10.0 60.0 60.0
#   prom-client        2.6 11.7 18.3; of four 22.5 52.5 60.0
#   tdigest (npm)      2.6 11.7 18.3; of four 22.5 52.5 60.0
#   tdigest, discrete  0.0 5.0 20.0; of four 10.0 60.0 60.0
#   tdigest (PyPI)     2.6 11.7 18.3; of four 22.5 52.5 60.0
#   fastdigest         0.0 5.0 20.0; of four 10.0 30.0 45.0
#   t-digest (Java)    0.0 5.0 20.0; of four 10.0 60.0 60.0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund prom-client@15.1.3 tdigest@0.1.3
python3 -m venv venv
venv/bin/pip install --quiet tdigest==0.5.2.2 fastdigest==0.12.0 numpy==2.4.6
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>seen</groupId>
  <artifactId>seen</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.tdunning</groupId>
      <artifactId>t-digest</artifactId>
      <version>3.3</version>
    </dependency>
  </dependencies>
</project>
XML
cat >waits.mjs <<'JS'
import { writeFileSync } from 'node:fs'

// 0, 5 and 20 minutes in an order that repeats: 11, 6 and 3 of each 20 travellers
const twenty = [0, 5, 0, 20, 0, 5, 0, 0, 5, 0, 20, 0, 5, 0, 5, 0, 20, 0, 5, 0]
const waits = Array.from({ length: 1000 }, (_, n) => twenty[n % 20])
writeFileSync('many', waits.join('\n'))
writeFileSync('four', '10\n10\n10\n60')
JS
cat >digests.mjs <<'JS'
import { readFileSync } from 'node:fs'
import prom from 'prom-client'
import tdigest from 'tdigest'

const quantiles = [0.5, 0.8, 0.9]

async function ofProm(waits) {
  const summary = new prom.Summary({ name: 'wait', help: 'wait', percentiles: quantiles, registers: [] })
  for (const wait of waits) summary.observe(wait)
  const { values } = await summary.get()
  return values.filter(({ labels }) => 'quantile' in labels).map(({ value }) => value)
}

function ofDigest(waits, ...options) {
  const digest = new tdigest.TDigest(...options)
  for (const wait of waits) digest.push(wait)
  digest.compress()
  return quantiles.map((quantile) => digest.percentile(quantile))
}

const sets = ['many', 'four'].map((name) => readFileSync(name, 'utf8').split('\n').map(Number))
const print = (name, answers) =>
  console.log(name.padEnd(18), answers.map((answer) => answer.map((value) => value.toFixed(1)).join(' ')).join('; of four '))
print('prom-client', await Promise.all(sets.map(ofProm)))
print('tdigest (npm)', sets.map((waits) => ofDigest(waits)))
print('tdigest, discrete', sets.map((waits) => ofDigest(waits, false)))
JS
cat >digests.py <<'PY'
import sys

import fastdigest
import numpy
import tdigest

QUANTILES = (0.5, 0.8, 0.9)


def of_old(waits):
    digest = tdigest.TDigest()
    digest.batch_update(waits)
    return [digest.percentile(100 * quantile) for quantile in QUANTILES]


def of_fast(waits):
    digest = fastdigest.TDigest.from_values(waits)
    return [digest.quantile(quantile) for quantile in QUANTILES]


def exact(waits):
    return numpy.quantile(waits, QUANTILES, method="inverted_cdf")


sets = [[float(wait) for wait in open(name)] for name in ("many", "four")]
for name, function in (("sorted", exact), ("tdigest (PyPI)", of_old), ("fastdigest", of_fast)):
    if (name == "sorted") == (sys.argv[1] == "sorted"):
        print(f"{name:18}", "; of four ".join(" ".join(f"{value:.1f}" for value in function(waits)) for waits in sets))
PY
cat >Digests.java <<'JAVA'
import com.tdunning.math.stats.TDigest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

public class Digests {
    static String of(String name) throws Exception {
        TDigest digest = TDigest.createMergingDigest(100);
        for (String wait : Files.readAllLines(Path.of(name))) {
            digest.add(Double.parseDouble(wait));
        }
        return String.format(Locale.ROOT, "%.1f %.1f %.1f", digest.quantile(0.5), digest.quantile(0.8), digest.quantile(0.9));
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("t-digest (Java)    " + of("many") + "; of four " + of("four"));
    }
}
JAVA
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=lib
node waits.mjs
{
  venv/bin/python digests.py sorted
  node digests.mjs
  venv/bin/python digests.py digests
  java -cp 'lib/*' Digests.java
} | tee seen
diff seen - <<'SEEN'
sorted             0.0 5.0 20.0; of four 10.0 60.0 60.0
prom-client        2.6 11.7 18.3; of four 22.5 52.5 60.0
tdigest (npm)      2.6 11.7 18.3; of four 22.5 52.5 60.0
tdigest, discrete  0.0 5.0 20.0; of four 10.0 60.0 60.0
tdigest (PyPI)     2.6 11.7 18.3; of four 22.5 52.5 60.0
fastdigest         0.0 5.0 20.0; of four 10.0 30.0 45.0
t-digest (Java)    0.0 5.0 20.0; of four 10.0 60.0 60.0
SEEN

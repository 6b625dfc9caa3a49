#!/usr/bin/env bash
# metar 0.9.3 (crates.io), against metar-taf-parser 9.1.3 (npm).
# An automatic station whose sensors cannot tell one direction from another writes NDV behind its visibility: 0350NDV is 350 m, and the report
# has no other visibility (WMO-No. 306, FM 15, 15.6, group VVVVNDV; ICAO Annex 3, appendix 3). Automatic reports of Europe and Australia have
# it. The crate takes the group for a second visibility, "reduced in a nonspecific direction", where there is no first one: `visibility` is
# Unknown, exactly as for the four slashes of a broken sensor, and the 350 m are in `reduced_directional_visibility`. Nothing is refused, and
# the crate's own tests expect it (LSZL, 9999NDV, "unknown"). Who warns of fog by `visibility` is silent at every such airport. The reports are
# made up. Seen, metar, then metar-taf-parser:
#   0350     Known(Metres(350)), 350
#   0350NDV  Unknown, 350
#   9999NDV  Unknown, 9999
#   ////     Unknown, none
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund metar-taf-parser@9.1.3
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"

[dependencies]
metar = "=0.9.3"
TOML
cat >src/main.rs <<'RS'
use metar::Metar;

fn main() {
    let group = std::env::args().nth(1).unwrap();
    let report = format!("METAR LSZL 291150Z AUTO 24008KT {group} FG VV001 M05/M06 Q0998");
    print!("{:?}", Metar::parse(&report).unwrap().visibility);
}
RS
cat >read.mjs <<'JS'
import { parseMetar } from 'metar-taf-parser'

const report = `METAR LSZL 291150Z AUTO 24008KT ${process.argv[2]} FG VV001 M05/M06 Q0998`
console.log(`, ${parseMetar(report).visibility?.value ?? 'none'}`)
JS
cargo build --quiet
for group in 0350 0350NDV 9999NDV ////; do
  printf '%-8s ' "$group"
  target/debug/seen "$group"
  node read.mjs "$group"
done | tee seen
diff seen - <<'SEEN'
0350     Known(Metres(350)), 350
0350NDV  Unknown, 350
9999NDV  Unknown, 9999
////     Unknown, none
SEEN

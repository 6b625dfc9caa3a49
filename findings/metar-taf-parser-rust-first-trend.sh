#!/usr/bin/env bash
# metar-taf-parser 0.4.9 (crates.io), against metar-taf-parser 9.1.3 (npm; another project).
# A METAR may end with several forecasts of the next two hours, one for each change: the example of ICAO Annex 3 (appendix 3, example A3-1, and
# FM 15 of WMO-No. 306) has fog of 800 m until 17:00 and good visibility from 18:00. The crate has room for one `trend_detail`, and each
# forecast overwrites that before it: only the last is left. The fog of the next hour is in no other field, `unparsed_groups` is empty, and
# parse_metar_strict, which refuses reports that are not wholly understood, takes this one. Who asks for the forecast hears of the clear evening
# and of nothing before it. Seen, crate, then npm:
#   BECMG TL1700 0800 FG                       Becmg 800; BECMG 800
#   BECMG TL1700 0800 FG BECMG AT1800 9999 NSW Becmg 9999; BECMG 800, BECMG 9999
#   TEMPO 0200 FZFG BECMG AT1800 9999 NSW      Becmg 9999; TEMPO 200, BECMG 9999
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
metar-taf-parser = "=0.4.9"
TOML
cat >src/main.rs <<'RS'
use metar_taf_parser::metar::models::visibility::Visibility;
use metar_taf_parser::parse_metar_strict;

fn main() {
    let trends = std::env::args().nth(1).unwrap();
    let report = format!("METAR YUDO 221630Z 24004MPS 0600 R12/1000U DZ FG SCT010 OVC020 17/16 Q1018 {trends}");
    let metar = parse_metar_strict(&report).unwrap();
    assert!(metar.unparsed_groups.is_empty());
    let trend = metar.trend_detail.unwrap();
    match trend.visibility {
        Some(Visibility::Single { prevailing, .. }) => print!("{:?} {prevailing}", trend.kind),
        other => print!("{:?} {other:?}", trend.kind),
    }
}
RS
cat >read.mjs <<'JS'
import { parseMetar } from 'metar-taf-parser'

const report = `METAR YUDO 221630Z 24004MPS 0600 R12/1000U DZ FG SCT010 OVC020 17/16 Q1018 ${process.argv[2]}`
console.log(`; ${parseMetar(report).trends.map((trend) => `${trend.type} ${trend.visibility?.value}`).join(', ')}`)
JS
cargo build --quiet
for trends in 'BECMG TL1700 0800 FG' 'BECMG TL1700 0800 FG BECMG AT1800 9999 NSW' 'TEMPO 0200 FZFG BECMG AT1800 9999 NSW'; do
  printf '%-42s ' "$trends"
  target/debug/seen "$trends"
  node read.mjs "$trends"
done | tee seen
diff seen - <<'SEEN'
BECMG TL1700 0800 FG                       Becmg 800; BECMG 800
BECMG TL1700 0800 FG BECMG AT1800 9999 NSW Becmg 9999; BECMG 800, BECMG 9999
TEMPO 0200 FZFG BECMG AT1800 9999 NSW      Becmg 9999; TEMPO 200, BECMG 9999
SEEN

#!/usr/bin/env bash
# CacheControl 0.14.4, requests-cache 1.3.3 and hishel 2.0.0 (PyPI) and github.com/gregjones/httpcache of 2019-06-11 (Go), against
# http-cache-semantics 4.3.0 (npm).
# An answer that comes through a cache of the service, as behind every content delivery network, says in `Age` how many seconds it has lain
# there, and RFC 9111 (4.2.3) counts the larger of that and of the time since `Date`: with `max-age=300` and `Age: 290` it is fresh for ten
# seconds more. The four caches of clients do not read `Age`. Three of them, hishel also in its mode for RFC 9111 (a comment in its code says
# so), count from `Date`, which delivery networks renew, or which is wrong where a clock is; requests-cache counts from its arrival. For five
# minutes more they give even an answer that was stale when it came. The wait at a checkpoint that is meant to be five minutes old at most is ten
# and more, and nothing shows it: each of the four honours max-age itself. Asked three times in a row, 1 1 1 is the first answer again, for one
# that is new, one with `Age: 600` and the date of now, and one with `Age: 600` and a date ten minutes ago. Seen:
#   CacheControl: new 1 1 1, aged 1 1 1, aged with its old date 1 2 3
#   requests-cache: new 1 1 1, aged 1 1 1, aged with its old date 1 1 1
#   hishel: new 1 1 1, aged 1 1 1, aged with its old date 1 2 3
#   httpcache: new 1 1 1, aged 1 1 1, aged with its old date 1 2 3
#   http-cache-semantics: new 1 1 1, aged 1 2 3, aged with its old date 1 2 3
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet CacheControl==0.14.4 requests-cache==1.3.3 'hishel[httpx]==2.0.0'
npm init -y >/dev/null
npm install --silent --no-audit --no-fund http-cache-semantics@4.3.0
cat >serve.py <<'PY'
from collections import Counter
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import time

asked = Counter()


class Waits(BaseHTTPRequestHandler):
    """Answers at /CLIENT/CASE how often that was asked; at most five minutes old, or ten already, with the date of now or of then."""

    def do_GET(self):
        asked[self.path] += 1
        body = str(asked[self.path]).encode()
        case = self.path.rsplit("/", 1)[1]
        self.send_response_only(200)
        self.send_header("Date", formatdate(time() - (600 if case == "old" else 0), usegmt=True))
        self.send_header("Cache-Control", "max-age=300")
        if case != "new":
            self.send_header("Age", "600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Waits)
Path("port.new").write_text(str(server.server_port))
Path("port.new").rename("port")
server.serve_forever()
PY
cat >read.py <<'PY'
import sys

import requests
import requests_cache
from cachecontrol import CacheControl
from hishel import SqliteStorage
from hishel.httpx import CacheClient

clients = {
    "CacheControl": CacheControl(requests.Session()),
    "requests-cache": requests_cache.CachedSession(backend="memory", cache_control=True),
    "hishel": CacheClient(storage=SqliteStorage(database_path="hishel.db"), rfc=True),
}
for name, client in clients.items():
    for case in ("new", "aged", "old"):
        print(name, case, *(client.get(f"{sys.argv[1]}/{name}/{case}").text for _ in range(3)))
PY
cat >go.mod <<'MOD'
module seen

go 1.24

require github.com/gregjones/httpcache v0.0.0-20190611155906-901d90724c79
MOD
cat >read.go <<'GO'
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/gregjones/httpcache"
)

func main() {
	client := httpcache.NewMemoryCacheTransport().Client()
	for _, name := range []string{"new", "aged", "old"} {
		fmt.Print("httpcache ", name)
		for range 3 {
			answer, err := client.Get(os.Args[1] + "/httpcache/" + name)
			if err != nil {
				panic(err)
			}
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			fmt.Printf(" %s", body)
		}
		fmt.Println()
	}
}
GO
cat >read.mjs <<'JS'
import CachePolicy from 'http-cache-semantics'
for (const name of ['new', 'aged', 'old']) {
  const url = `${process.argv[2]}/http-cache-semantics/${name}`
  const request = { url, method: 'GET', headers: {} }
  let policy, body
  const bodies = []
  for (let turn = 0; turn < 3; turn++) {
    if (!policy?.satisfiesWithoutRevalidation(request)) {
      const answer = await fetch(url)
      body = await answer.text()
      policy = new CachePolicy(request, { status: answer.status, headers: Object.fromEntries(answer.headers) }, { shared: false })
    }
    bodies.push(body)
  }
  console.log(`http-cache-semantics ${name} ${bodies.join(' ')}`)
}
JS
go mod tidy >/dev/null 2>&1
go build -o reader read.go
venv/bin/python serve.py &
server=$!
for _ in $(seq 100); do [ -s port ] && break || sleep 0.1; done
base="http://127.0.0.1:$(cat port)"
{ venv/bin/python read.py "$base"; ./reader "$base"; node read.mjs "$base"; } |
  paste -d ',' - - - | sed -E 's/ new/: new/; s/,[^ ]+ aged/, aged/; s/,[^ ]+ old/, aged with its old date/' | tee seen
diff seen - <<'SEEN'
CacheControl: new 1 1 1, aged 1 1 1, aged with its old date 1 2 3
requests-cache: new 1 1 1, aged 1 1 1, aged with its old date 1 1 1
hishel: new 1 1 1, aged 1 1 1, aged with its old date 1 2 3
httpcache: new 1 1 1, aged 1 1 1, aged with its old date 1 2 3
http-cache-semantics: new 1 1 1, aged 1 2 3, aged with its old date 1 2 3
SEEN

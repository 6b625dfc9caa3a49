#!/usr/bin/env bash
# openapi-generator-cli 7.26.0 (PyPI, needs Java), generator `python`.
# A query parameter of `format: date-time` is RFC 3339, whose offset has a colon. The generated client has a `datetime` parameter, and
# sends it by its default `datetime_format` "%Y-%m-%dT%H:%M:%S.%f%z": Python's %z has no colon. So a server that reads the format
# strictly refuses every call of its own generated client. The document cannot say so: with `Z` in the description, in the example
# or in a pattern the client sends the same. Seen:
#   sent: since=2026-11-20T14:00:00.000000+0000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet openapi-generator-cli==7.26.0 pydantic==2.12.5 python-dateutil==2.9.0.post0 urllib3==2.5.0 typing-extensions==4.15.0
cat >document.yaml <<'YAML'
openapi: 3.0.3
info: {title: waits, version: '1'}
paths:
  /waits:
    get:
      operationId: getWaits
      parameters:
        - {name: since, in: query, schema: {type: string, format: date-time}, example: '2026-11-20T14:00:00Z'}
      responses: {'204': {description: none}}
YAML
venv/bin/openapi-generator-cli generate -g python -i document.yaml -o client >log 2>&1 || { tail -5 log; exit 1; }
cat >send.py <<'PY'
from datetime import datetime, timezone
from urllib.parse import unquote
import openapi_client

api = openapi_client.DefaultApi(openapi_client.ApiClient())
address = api._get_waits_serialize(datetime(2026, 11, 20, 14, tzinfo=timezone.utc), None, None, None, 0)[1]
print("sent:", unquote(address.split("?")[1]))
PY
PYTHONPATH=client venv/bin/python send.py | tee seen
grep -qx 'sent: since=2026-11-20T14:00:00.000000+0000' seen

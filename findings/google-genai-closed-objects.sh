#!/usr/bin/env bash
# google-genai 3.6.1 against 1.73.0, with mcp 1.30.0 (all PyPI).
# An MCP server says with `additionalProperties: false` that a tool takes no other arguments, as the schemas of the SDK for TypeScript do
# by default. Since 1.74 Google's SDK for Python reads that as a schema and fails, for the whole list of tools, when it hands the tools of
# a session to Gemini (googleapis/python-genai#2393): one closed object, at any depth, and no tool of the server can be used. A schema in
# its place is taken, and so is none. Seen:
#   google-genai 1.73.0: closed taken, open taken, a schema taken, closed within a list taken
#   google-genai 3.6.1:  closed AttributeError, open taken, a schema taken, closed within a list AttributeError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet google-genai==3.6.1 mcp==1.30.0
venv/bin/pip install --quiet --no-deps --target old google-genai==1.73.0
cat >read.py <<'PY'
from importlib.metadata import version
from google.genai import _mcp_utils
from mcp.types import Tool

arguments = {"iata": {"type": "string"}}
closed = {"type": "object", "properties": arguments, "additionalProperties": False}
SCHEMAS = {
    "closed": closed,
    "open": {"type": "object", "properties": arguments},
    "a schema": {"type": "object", "properties": arguments, "additionalProperties": {"type": "string"}},
    "closed within a list": {"type": "object", "properties": {"airports": {"type": "array", "items": closed}}},
}

def outcome(schema):
    try:
        _mcp_utils.mcp_to_gemini_tools([Tool(name="get_wait", description="The wait.", inputSchema=schema)])
        return "taken"
    except Exception as error:
        return type(error).__name__

print(f"google-genai {version('google-genai') + ':':7}", ", ".join(f"{name} {outcome(schema)}" for name, schema in SCHEMAS.items()))
PY
{ PYTHONPATH=old venv/bin/python -W ignore read.py; venv/bin/python -W ignore read.py; } | tee seen
diff seen - <<'TXT'
google-genai 1.73.0: closed taken, open taken, a schema taken, closed within a list taken
google-genai 3.6.1:  closed AttributeError, open taken, a schema taken, closed within a list AttributeError
TXT

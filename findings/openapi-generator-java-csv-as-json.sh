#!/usr/bin/env bash
# OpenAPI Generator 7.26.0 (openapi-generator-cli on PyPI, generator java, library native).
# An operation answers 200 with a schema of type string. Where its media type is text/plain the Java client returns the text; where
# it is text/csv the client hands the text to Jackson, so that every good answer throws. The same generator's default library
# (okhttp-gson) returns the text of both. Seen:
#   text/plain: returns the text
#   text/csv: reads the text as JSON
# Needs Java and nothing else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --no-deps --target packages openapi-generator-cli==7.26.0
for type in plain csv; do
  cat >"$type.yaml" <<YAML
openapi: 3.0.3
info: {title: waits, version: '1'}
paths:
  /waits:
    get:
      operationId: waits
      responses:
        '200': {description: rows, content: {text/$type: {schema: {type: string}}}}
YAML
  java -jar packages/openapi_generator_cli/openapi-generator.jar generate -g java --library native -i "$type.yaml" -o "$type" >"$type.log" 2>&1
  if grep -q 'readValue(responseBody' "$type/src/main/java/org/openapitools/client/api/DefaultApi.java"; then
    echo "text/$type: reads the text as JSON"
  else
    echo "text/$type: returns the text"
  fi
done | tee seen
diff seen <(printf 'text/plain: returns the text\ntext/csv: reads the text as JSON\n')

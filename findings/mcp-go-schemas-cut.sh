#!/usr/bin/env bash
# github.com/mark3labs/mcp-go 1.2.1, against github.com/modelcontextprotocol/go-sdk 1.8.0 (Go), both as clients of one server.
# MCP's schemas of tools are JSON Schema 2020-12, with whatever keywords it has (specification of 2025-11-25 and 2026-07-28, Tools). The client
# of mcp-go keeps five keywords of the outermost schema: type, properties, required, $defs and additionalProperties. That an airport or a flight
# is needed (oneOf, anyOf), that a time needs an airport (dependentRequired), that an open checkpoint has minutes (if, then), what the whole
# is for (description) and which draft it is in ($schema) are gone before the program sees a tool, with nothing left of the text of the server
# to look at; a gateway passes on the rest as the whole, and a model calls the tool with neither an airport nor a flight, or with both. Inside
# of properties the same keywords stay, so a tool that is tried with these shows nothing. For servers the package has raw schemas, its client
# has none. Seen, the keywords of one tool:
#   go-sdk, input: $schema additionalProperties dependentRequired description oneOf properties type
#   go-sdk, output: if properties required then type
#   mcp-go, input: additionalProperties properties required type
#   mcp-go, output: properties required type
#   mcp-go, raw: 0 and 0 bytes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'MOD'
module seen

go 1.25

require (
	github.com/mark3labs/mcp-go v1.2.1
	github.com/modelcontextprotocol/go-sdk v1.8.0
)
MOD
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	theirs "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const input = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "description": "An airport or a flight",
  "type": "object",
  "properties": {"airport": {"type": "string"}, "flight": {"type": "string"}, "at": {"type": "string", "format": "date-time"}},
  "oneOf": [{"required": ["airport"]}, {"required": ["flight"]}],
  "dependentRequired": {"at": ["airport"]},
  "additionalProperties": false
}`

const output = `{
  "type": "object",
  "properties": {"state": {"enum": ["open", "closed"]}, "minutes": {"type": "integer"}},
  "required": ["state"],
  "if": {"properties": {"state": {"const": "open"}}},
  "then": {"required": ["minutes"]}
}`

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// keywords are the sorted names at the outermost level of a schema.
func keywords(schema any) string {
	var found map[string]any
	if err := json.Unmarshal(must(json.Marshal(schema)), &found); err != nil {
		panic(err)
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "waits", Version: "1"}, nil)
	tool := &mcp.Tool{Name: "wait", InputSchema: json.RawMessage(input), OutputSchema: json.RawMessage(output)}
	server.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	web := httptest.NewServer(handler)
	ctx := context.Background()

	session := must(mcp.NewClient(&mcp.Implementation{Name: "reader", Version: "1"}, nil).
		Connect(ctx, &mcp.StreamableClientTransport{Endpoint: web.URL}, nil))
	listed := must(session.ListTools(ctx, nil)).Tools[0]
	fmt.Println("go-sdk, input:", keywords(listed.InputSchema))
	fmt.Println("go-sdk, output:", keywords(listed.OutputSchema))

	reader := must(client.NewStreamableHttpClient(web.URL))
	must(reader.Initialize(ctx, theirs.InitializeRequest{Params: theirs.InitializeParams{
		ProtocolVersion: "2025-11-25",
		ClientInfo:      theirs.Implementation{Name: "reader", Version: "1"},
	}}))
	got := must(reader.ListTools(ctx, theirs.ListToolsRequest{})).Tools[0]
	fmt.Println("mcp-go, input:", keywords(got.InputSchema))
	fmt.Println("mcp-go, output:", keywords(got.OutputSchema))
	fmt.Println("mcp-go, raw:", len(got.RawInputSchema), "and", len(got.RawOutputSchema), "bytes")
}
GO
go build -mod=mod -o read .
./read | tee seen
diff seen - <<'SEEN'
go-sdk, input: $schema additionalProperties dependentRequired description oneOf properties type
go-sdk, output: if properties required then type
mcp-go, input: additionalProperties properties required type
mcp-go, output: properties required type
mcp-go, raw: 0 and 0 bytes
SEEN

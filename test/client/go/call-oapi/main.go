// Calls every operation of the client that oapi-codegen makes at three airports. Arguments: address, key, departure (UTC).
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"

	"holdshort.test/clients/oapi"
)

func main() {
	address, key, departure := os.Args[1], os.Args[2], os.Args[3]
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := oapi.NewClientWithResponses(address, oapi.WithRequestEditorFn(authorize))
	if err != nil {
		panic(err)
	}
	value := reflect.ValueOf(client)
	calls := 0
	for at := 0; at < value.NumMethod(); at++ {
		name, isOperation := strings.CutSuffix(value.Type().Method(at).Name, "WithResponse")
		if !isOperation || strings.HasSuffix(name, "WithBody") || name == "RegisterAgent" || name == "RevokeKey" {
			continue
		}
		operation := value.Method(at)
		isOfAirport := operation.Type().In(1).Kind() == reflect.String
		airports := []string{"JFK"}
		if isOfAirport {
			airports = []string{"JFK", "DEL", "ACO"}
		}
		for _, iata := range airports {
			arguments := []reflect.Value{reflect.ValueOf(context.Background())}
			if isOfAirport {
				arguments = append(arguments, reflect.ValueOf(iata))
			}
			if next := operation.Type().In(len(arguments)); next.Kind() == reflect.Pointer {
				parameters := reflect.New(next.Elem())
				if field := parameters.Elem().FieldByName("Departure"); field.IsValid() {
					field.SetString(departure)
				}
				arguments = append(arguments, parameters)
			} else if next.Kind() == reflect.Struct {
				body := reflect.New(next).Elem()
				body.FieldByName("Codes").Set(reflect.ValueOf([]string{iata}))
				arguments = append(arguments, body)
			}
			results := operation.Call(arguments)
			if failed := results[1]; !failed.IsNil() {
				fmt.Fprintf(os.Stderr, "%s at %s: %v\n", name, iata, failed.Interface())
				os.Exit(1)
			}
			answer := results[0].Elem()
			response := answer.FieldByName("HTTPResponse").Interface().(*http.Response)
			read := answer.FieldByName("JSON200")
			isText := !strings.Contains(response.Header.Get("Content-Type"), "json")
			if response.StatusCode != 200 || !isText && (!read.IsValid() || read.IsNil()) {
				fmt.Fprintf(os.Stderr, "%s at %s: %s, nothing was read\n", name, iata, response.Status)
				os.Exit(1)
			}
			calls++
		}
	}
	fmt.Println(calls)
}

// Calls every operation of the client that ogen makes at three airports. Arguments: address, key, departure (UTC).
package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/ogen-go/ogen/ogenerrors"
	"holdshort.test/clients/ogen"
)

type credentials struct{ key string }

func (c credentials) APIKey(context.Context, ogen.OperationName) (ogen.APIKey, error) {
	return ogen.APIKey{}, ogenerrors.ErrSkipClientSecurity
}

func (c credentials) Bearer(context.Context, ogen.OperationName) (ogen.Bearer, error) {
	return ogen.Bearer{Token: c.key}, nil
}

func main() {
	address, key, departure := os.Args[1], os.Args[2], os.Args[3]
	client, err := ogen.NewClient(address, credentials{key})
	if err != nil {
		panic(err)
	}
	value := reflect.ValueOf(client)
	operations := reflect.TypeFor[ogen.Invoker]()
	calls := 0
	for at := 0; at < operations.NumMethod(); at++ {
		name := operations.Method(at).Name
		if name == "RegisterAgent" || name == "RevokeKey" {
			continue
		}
		operation := value.MethodByName(name)
		airports := []string{"JFK"}
		if takes := operation.Type().In(operation.Type().NumIn() - 1); takes.Kind() == reflect.Struct {
			if field, found := takes.FieldByName("Iata"); found && field.Type.Kind() == reflect.String {
				airports = []string{"JFK", "DEL", "ACO"}
			}
		}
		for _, iata := range airports {
			arguments := []reflect.Value{reflect.ValueOf(context.Background())}
			if operation.Type().NumIn() == 2 {
				takes := operation.Type().In(1)
				if takes.Kind() == reflect.Pointer {
					body := reflect.New(takes.Elem())
					body.Elem().FieldByName("Codes").Set(reflect.ValueOf([]string{iata}))
					arguments = append(arguments, body)
				} else {
					parameters := reflect.New(takes).Elem()
					for field, value := range map[string]string{"Iata": iata, "Departure": departure} {
						if given := parameters.FieldByName(field); given.IsValid() && given.Kind() == reflect.String {
							given.SetString(value)
						}
					}
					arguments = append(arguments, parameters)
				}
			}
			results := operation.Call(arguments)
			if failed := results[1]; !failed.IsNil() {
				fmt.Fprintf(os.Stderr, "%s at %s: %v\n", name, iata, failed.Interface())
				os.Exit(1)
			}
			// A problem is an answer of a type of its own, which has the fields of a problem.
			if read := reflect.Indirect(results[0].Elem()); isProblem(read) {
				fmt.Fprintf(os.Stderr, "%s at %s: %s %+v\n", name, iata, read.Type().Name(), read.Interface())
				os.Exit(1)
			}
			calls++
		}
	}
	fmt.Println(calls)
}

func isProblem(read reflect.Value) bool {
	if read.Kind() != reflect.Struct {
		return false
	}
	if response := read.FieldByName("Response"); response.IsValid() && response.Kind() == reflect.Struct {
		read = response
	}
	return read.FieldByName("RequestID").IsValid() || strings.HasSuffix(read.Type().Name(), "Problem")
}

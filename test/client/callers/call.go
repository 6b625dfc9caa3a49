// Calls every operation of the generated Go client at three airports. Arguments: address, key, departure (UTC).
package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	address, key, departure := os.Args[1], os.Args[2], os.Args[3]
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: address}}
	client := api.NewAPIClient(configuration)
	ctx := reflect.ValueOf(context.WithValue(context.Background(), api.ContextAccessToken, key))
	calls := 0
	for _, group := range []any{client.AirportsAPI, client.ServiceAPI, client.AccountAPI} {
		value := reflect.ValueOf(group)
		for at := 0; at < value.NumMethod(); at++ {
			name := value.Type().Method(at).Name
			if strings.HasSuffix(name, "Execute") || name == "RegisterAgent" || name == "RevokeKey" {
				continue
			}
			operation := value.Method(at)
			airports := []string{"JFK"}
			if operation.Type().NumIn() == 2 {
				airports = []string{"JFK", "DEL", "ACO"}
			}
			for _, iata := range airports {
				arguments := []reflect.Value{ctx}
				if operation.Type().NumIn() == 2 {
					arguments = append(arguments, reflect.ValueOf(iata))
				}
				request := operation.Call(arguments)[0]
				if name == "GetLeaveBy" {
					request = request.MethodByName("Departure").Call([]reflect.Value{reflect.ValueOf(departure)})[0]
				}
				if name == "BulkWaitTimes" {
					body := *api.NewBulkWaitTimesRequest([]string{iata})
					request = request.MethodByName("BulkWaitTimesRequest").Call([]reflect.Value{reflect.ValueOf(body)})[0]
				}
				results := request.MethodByName("Execute").Call(nil)
				if failed := results[len(results)-1]; !failed.IsNil() {
					fmt.Fprintf(os.Stderr, "%s at %s: %v\n", name, iata, failed.Interface())
					os.Exit(1)
				}
				calls++
			}
		}
	}
	fmt.Println(calls)
}

"""Calls every operation of the generated Python client at three airports. Arguments: address, key, departure (UTC)."""
import inspect
import sys

import openapi_client as api

address, key, departure = sys.argv[1:]
client = api.ApiClient(api.Configuration(host=address, access_token=key))
calls = 0
for group in (api.AirportsApi(client), api.ServiceApi(client), api.AccountApi(client)):
    for name, operation in inspect.getmembers(group, inspect.ismethod):
        if name.startswith('_') or 'http_info' in name or 'preload' in name or name in ('register_agent', 'revoke_key'):
            continue
        needed = [p.name for p in inspect.signature(operation).parameters.values() if p.default is p.empty]
        for iata in ('JFK', 'DEL', 'ACO') if 'iata' in needed else ('JFK',):
            given = {'iata': iata, 'departure': departure, 'bulk_wait_times_request': api.BulkWaitTimesRequest(codes=[iata])}
            if operation(**{one: given[one] for one in needed}) is None:
                raise SystemExit(f'{name} at {iata}: nothing was read')
            calls += 1
print(calls)

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AccountApi;
import org.openapitools.client.api.AirportsApi;
import org.openapitools.client.api.ServiceApi;
import org.openapitools.client.model.BulkWaitTimesRequest;

/** Calls every operation of the generated Java client at three airports. Arguments: address, key, departure (UTC). */
public class Call {
  public static void main(String[] given) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(given[0]);
    client.setBearerToken(given[1]);
    int calls = 0;
    for (Object group : List.of(new AirportsApi(client), new ServiceApi(client), new AccountApi(client)))
      for (Method operation : group.getClass().getDeclaredMethods()) {
        List<Class<?>> types = Arrays.asList(operation.getParameterTypes());
        String name = operation.getName();
        boolean isOperation = Modifier.isPublic(operation.getModifiers()) && !name.matches("[gs]et(ApiClient|HostIndex|CustomBaseUrl)|.*(Call|Async|WithHttpInfo)");
        if (!isOperation || name.equals("registerAgent") || name.equals("revokeKey")) continue;
        boolean isOfAirport = !types.isEmpty() && types.get(0) == String.class && !name.startsWith("getCoverage") && !name.startsWith("listAirports");
        for (String iata : isOfAirport ? new String[] {"JFK", "DEL", "ACO"} : new String[] {"JFK"}) {
          Object[] arguments = new Object[types.size()];
          if (isOfAirport) arguments[name.equals("getLeaveBy") ? 1 : 0] = iata;
          if (name.equals("getLeaveBy")) arguments[0] = given[2];
          if (name.equals("bulkWaitTimes")) arguments[0] = new BulkWaitTimesRequest().codes(List.of(iata));
          try {
            if (operation.invoke(group, arguments) == null) throw new IllegalStateException("nothing was read");
          } catch (InvocationTargetException failed) {
            throw new IllegalStateException(name + " at " + iata, failed.getCause());
          }
          calls++;
        }
      }
    System.out.println(calls);
  }
}

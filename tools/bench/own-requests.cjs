/** For autocannon in a thread: each connection gets requests of its own, so that callers are in rotation over all of them. */
/** As in load.ts. */
const CONNECTIONS = 32

let opened = 0
module.exports = (client) => {
  const { requests } = client.opts
  const own = opened++
  const part = requests.filter((_, at) => at % CONNECTIONS === own)
  if (part.length > 0) client.setRequests(part)
}

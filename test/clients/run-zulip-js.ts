/**
 * A process in which the JavaScript client library listens, as in its documentation: its loop never ends by
 * itself.
 */

import { createRequire } from 'node:module'

const connectClient = createRequire(import.meta.url)('zulip-js')
const [realm, username, password] = process.argv.slice(2)

const client = await connectClient({ realm, username, password })
process.stdout.write(`${JSON.stringify({ apiKey: client.config.apiKey })}\n`)
await client.callOnEachEvent(
  (event: unknown) => process.stdout.write(`${JSON.stringify(event)}\n`),
  ['message'],
)

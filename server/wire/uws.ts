/** uWebSockets.js, with its limits set before it loads. */

import { createRequire } from 'node:module'
import type * as Uws from 'uWebSockets.js'

// Bytes of one request's headers: narrows travel in the address, and the default of 4 KB is too short for them. The
// library refuses longer headers with a page of its own. So this server refuses addresses of half that length, in the
// API's form. Each connection with slow headers holds up to this much.
process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '32768'

/** The library; it reads its environment when it loads, so a plain import would be too early. */
export const uws = createRequire(import.meta.url)('uWebSockets.js') as typeof Uws

export type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  us_socket_context_t,
  WebSocket,
} from 'uWebSockets.js'

/** uWebSockets.js, with its limits set before it loads. */

import { createRequire } from 'node:module'
import type * as Uws from 'uWebSockets.js'

// Bytes of one request's headers: narrows travel in the address, and 4 KB, the default, cuts the longer ones. The
// library refuses what is longer by a page of its own, so an address of half of it is refused here, in the API's form.
// Of headers that come slowly so much is held for each connection.
process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '32768'

/** The library; it reads its environment once, while it loads, hence not by a plain import. */
export const uws = createRequire(import.meta.url)('uWebSockets.js') as typeof Uws

export type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  us_socket_context_t,
  WebSocket,
} from 'uWebSockets.js'

/**
 * The limit of reads: bare uWebSockets.js that answers each path with fixed bytes, or with a value that it encodes each
 * time.
 */

import { loadUws } from '../../server/wire/transport/uws.ts'
import { serveCalls } from '../start/remote.ts'

const { uws } = loadUws()
const app = uws.App()

const calls = {
  /** Returns the port. */
  start(answers: readonly { path: string; body: Uint8Array; isEncodedEachTime?: true }[]): Promise<number> {
    for (const { path, body, isEncodedEachTime } of answers) {
      if (isEncodedEachTime) {
        const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
        app.get(path, (res) => void res.end(JSON.stringify(value)))
      } else app.get(path, (res) => void res.end(body))
    }
    return new Promise((resolve, reject) => {
      app.listen('127.0.0.1', 0, (socket) => {
        if (socket) resolve(uws.us_socket_local_port(socket))
        else reject(new Error('the limit cannot listen'))
      })
    })
  },
}

export type HelloLimit = typeof calls
serveCalls(calls)

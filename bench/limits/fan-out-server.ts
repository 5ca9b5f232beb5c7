/**
 * The limit of the fan-out: bare uWebSockets.js that, on a request, publishes a text to all WebSockets and ends all
 * parked requests with it. It checks, stores and encodes nothing.
 */

import type { HttpResponse } from 'uWebSockets.js'
import { loadUws } from '../../server/wire/transport/uws.ts'
import { serveCalls } from '../start/remote.ts'

const TOPIC = 'all'
const MARK = '@ID@'
/** As long as the server's answers: both sides send the same bytes, including the head. */
const REQUEST_ID = 'aaaa00000000-0000'

let template = ''
let firstId = 0
let nextId = 0
const parked = new Set<HttpResponse>()

const { uws } = loadUws()
const app = uws
  .App()
  .ws('/api/v1/events/stream', {
    compression: uws.DISABLED,
    open: (ws) => void ws.subscribe(TOPIC),
  })
  .get('/api/v1/events', (res, req) => {
    // A late poll gets the first message that it missed at once; otherwise messages would be lost.
    const missedId = Math.max(Number(req.getQuery('last_event_id')) + 1, firstId)
    if (missedId < nextId) return end(res, textOf(missedId))
    parked.add(res)
    res.onAborted(() => parked.delete(res))
  })
  .post('/api/v1/messages', (res) => {
    res.onAborted(() => {})
    res.onData((_, isLast) => {
      if (!isLast) return
      const id = nextId++
      res.end(`{"result":"success","msg":"","id":${id}}`)
      const text = textOf(id)
      app.publish(TOPIC, text)
      setImmediate(endParked, text) // Within the handler all replies would share its one cork buffer: 15 times slower.
    })
  })

function endParked(text: string): void {
  const waiting = [...parked]
  parked.clear()
  for (const res of waiting) end(res, text)
}

function end(res: HttpResponse, text: string): void {
  res.cork(() => {
    res.writeHeader('Content-Type', 'application/json')
    res.writeHeader('X-Request-Id', REQUEST_ID)
    res.end(text)
  })
}

function textOf(id: number): string {
  return template.replaceAll(MARK, String(id))
}

const calls = {
  /** Sets the text to send, in which `MARK` stands for the id, and the first id; returns the port. */
  start(wanted: { template: string; firstId: number }): Promise<number> {
    template = wanted.template
    firstId = wanted.firstId
    nextId = wanted.firstId
    return new Promise((resolve, reject) => {
      app.listen('127.0.0.1', 0, (socket) => {
        if (socket) resolve(uws.us_socket_local_port(socket))
        else reject(new Error('the limit cannot listen'))
      })
    })
  },

  /** The number of parked requests. */
  async countParked(): Promise<number> {
    return parked.size
  },

  /** The memory after a garbage collection; needs `--expose-gc`. */
  async memory(): Promise<NodeJS.MemoryUsage> {
    const { gc } = globalThis as { gc?: () => void }
    gc?.()
    gc?.()
    return process.memoryUsage()
  },
}

export type FanOutLimit = typeof calls
serveCalls(calls)

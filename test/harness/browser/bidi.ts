/** A connection to a browser by WebDriver BiDi: commands as JSON over a WebSocket (https://w3c.github.io/webdriver-bidi/). */

import { once } from 'node:events'

interface Answer {
  readonly id?: number | null
  readonly type: 'success' | 'error' | 'event'
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: string
  readonly message?: string
}

interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void
  readonly reject: (error: Error) => void
}

export interface Bidi {
  /** Resolves to the result of a command; rejects with the browser's words if it fails, or when the connection ends. */
  readonly send: (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>
}

/** Connects, and begins the session. */
export async function connectBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(`${url}/session`)
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result = {}, error, message } = JSON.parse(String(data)) as Answer
    const command = waiting.get(id ?? 0)
    waiting.delete(id ?? 0)
    if (type === 'success') command?.resolve(result)
    else command?.reject(new Error(`${error}: ${message}`))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser has ended the connection'))
    waiting.clear()
  })
  const send = (method: string, params: object = {}) =>
    new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) throw new Error(`${method}: there is no connection`)
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
  await once(socket, 'open')
  await send('session.new', { capabilities: {} })
  return { send }
}

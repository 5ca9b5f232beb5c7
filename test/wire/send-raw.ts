/** Requests as bytes, beyond any client library. */

import { connect, type Socket } from 'node:net'

/** An answer as sent on the wire. */
export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** Whether the server closed the connection after it. */
  readonly isClosed: boolean
}

/** An open connection. */
export function openConnection(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Writes bytes on a connection and reads one answer; closes the connection if it opened it. */
export async function sendRaw(
  target: number | Socket,
  bytes: string | Buffer | readonly (string | Buffer)[],
  { isHead = false } = {},
): Promise<RawAnswer> {
  const socket = typeof target === 'number' ? await openConnection(target) : target
  try {
    const answer = readAnswer(socket, isHead)
    for (const part of typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes) {
      if (!socket.writable) break
      if (!socket.write(part as string | Buffer)) {
        await new Promise<void>((resolve) => {
          socket.once('drain', resolve)
          socket.once('close', () => resolve())
        })
      }
    }
    return await answer
  } finally {
    if (typeof target === 'number') socket.destroy()
  }
}

function readAnswer(socket: Socket, isHead: boolean): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const settle = (isClosed: boolean) => {
      const answer = parse(text, isHead, isClosed)
      if (!answer && !isClosed) return
      socket.off('data', onData)
      socket.off('close', onClose)
      socket.off('error', onError)
      if (answer) resolve(answer)
      else reject(new Error(`no whole answer before the end: ${JSON.stringify(text)}`))
    }
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      settle(false)
    }
    const onClose = () => settle(true)
    const onError = () => undefined // The close that follows resolves it.
    socket.on('data', onData)
    socket.on('close', onClose)
    socket.on('error', onError)
  })
}

function parse(text: string, isHead: boolean, isClosed: boolean): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const length = isHead ? 0 : Number(headers.get('content-length') ?? 0)
  const body = text.slice(end + 4)
  if (body.length < length) return undefined
  const status = Number(first.split(' ')[1])
  if (!headers.has('content-length') && !isClosed && status !== 204) return undefined
  return {
    status,
    headers,
    body: Buffer.from(headers.has('content-length') ? body.slice(0, length) : body, 'latin1').toString(
      'utf8',
    ),
    isClosed,
  }
}

/** Server-sent events from a streamed response: unlike `EventSource`, this can send credentials. */

import { ApiError, ConnectionError } from '../errors.ts'
import { type Connection, fetchSafely, readReply } from '../http.ts'
import type { Event } from '../wire-types.ts'
import { closeError, type Position, QueueGoneError } from './transport.ts'

export async function* followByServerSentEvents(
  connection: Connection,
  { queueId, lastEventId }: Readonly<Position>,
  onOpen: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Event[], void, void> {
  const query = new URLSearchParams({ queue_id: queueId, last_event_id: String(lastEventId) })
  const response = await fetchSafely(connection, `/events/stream?${query.toString()}`, {
    headers: { Accept: 'text/event-stream' },
    ...(signal ? { signal } : {}),
  })
  if (!response.body || response.headers.get('Content-Type')?.startsWith('text/event-stream') !== true)
    throw await refusalOf(response)
  onOpen()
  for await (const messages of readMessages(response.body)) {
    const events: Event[] = []
    for (const { event, data } of messages) {
      if (event === 'close') {
        if (events.length > 0) yield events
        const { code, reason = '' } = JSON.parse(data) as { code: number; reason?: string }
        const error = closeError(code, reason)
        if (error) throw error
        return
      }
      if (data !== '') events.push(JSON.parse(data) as Event)
    }
    if (events.length > 0) yield events
  }
}

/** The reason why the response is not a stream. */
async function refusalOf(response: Response): Promise<Error> {
  try {
    await readReply(response)
    return new ConnectionError('the answer is no stream')
  } catch (error) {
    return error instanceof ApiError && error.status === 400
      ? new QueueGoneError(error.message, { cause: error })
      : (error as Error)
  }
}

interface Message {
  readonly event: string
  readonly data: string
}

/** The messages of a stream, in the batches in which they arrive. */
async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message[], void, void> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const texts = (rest + value).split('\n\n')
      rest = texts.pop() as string
      if (texts.length > 0) yield texts.map(readMessage)
    }
  } catch (error) {
    throw new ConnectionError('the stream was cut', { cause: error })
  } finally {
    reader.cancel().catch(() => undefined) // It may have failed already.
  }
}

function readMessage(text: string): Message {
  const message = { event: '', data: '' }
  for (const line of text.split('\n')) {
    if (line.startsWith('data: ')) message.data += line.slice('data: '.length)
    else if (line.startsWith('event: ')) message.event = line.slice('event: '.length)
  }
  return message
}

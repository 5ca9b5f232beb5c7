/** Writing the answers of the resumable protocol. */

import { STATUS_CODES } from 'node:http'
import type { ApiError } from '../../api/errors.ts'
import { BASIC_REALM } from '../../api/names.ts'
import type { RateStatus } from '../../api/rate-limit.ts'
import type { HttpResponse } from '../uws.ts'
import type { TusAnswer } from './messages.ts'

/** The request that is answered. */
export interface AnsweredUpload {
  readonly requestId: string
  readonly method: string
  readonly rate: RateStatus | undefined
  /** Whether the connection is closed after the answer. */
  readonly isLast: boolean
}

/** Headers of the library that are not for the client: this server writes its own. */
const OWN_HEADERS = [
  'content-length',
  'connection',
  'access-control-allow-origin',
  'access-control-expose-headers',
]
/** What scripts of other origins may read, as they need it to go on. */
const EXPOSED = [
  'Location',
  'Retry-After',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Defer-Length',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
].join(', ')

/** Writes what the library answers. */
export function writeTusAnswer(res: HttpResponse, answered: AnsweredUpload, answer: TusAnswer): void {
  const { status, headers, body } = answer
  write(res, answered, status, body, (writeHeader) => {
    for (const [name, value] of headers) if (!OWN_HEADERS.includes(name)) writeHeader(name, value)
  })
}

/** Writes a refusal in the form of the API. */
export function writeTusError(res: HttpResponse, answered: AnsweredUpload, { status, body }: ApiError): void {
  write(res, answered, status, JSON.stringify(body), (writeHeader) => {
    writeHeader('Content-Type', 'application/json')
    writeHeader('Tus-Resumable', '1.0.0')
    if (status === 412) writeHeader('Tus-Version', '1.0.0')
    if (status === 401) writeHeader('WWW-Authenticate', `Basic realm="${BASIC_REALM}"`)
  })
}

function write(
  res: HttpResponse,
  { requestId, method, rate, isLast }: AnsweredUpload,
  status: number,
  body: string,
  writeHeaders: (writeHeader: (name: string, value: string) => void) => void,
): void {
  res.cork(() => {
    res.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`)
    res.writeHeader('X-Request-Id', requestId)
    res.writeHeader('X-Content-Type-Options', 'nosniff')
    // Whoever asks has to have a key: no browser sends one of its own accord.
    res.writeHeader('Access-Control-Allow-Origin', '*')
    res.writeHeader('Access-Control-Expose-Headers', EXPOSED)
    writeHeaders((name, value) => res.writeHeader(name, value))
    if (rate) {
      res.writeHeader('X-RateLimit-Limit', String(rate.limit))
      res.writeHeader('X-RateLimit-Remaining', String(rate.remaining))
      res.writeHeader('X-RateLimit-Reset', String(rate.resetAt))
      if (rate.retryAfterSeconds !== undefined)
        res.writeHeader('Retry-After', String(Math.ceil(rate.retryAfterSeconds)))
    }
    if (method === 'HEAD') {
      // Given the length itself, the library of the wire waits for a body that never comes.
      res.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      res.endWithoutBody()
    } else if (status === 204 && !isLast) res.endWithoutBody()
    else res.end(body, isLast)
  })
}

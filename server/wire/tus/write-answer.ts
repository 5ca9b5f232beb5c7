/** Writes the answers of the resumable protocol. */

import { errorHeaders } from '../../api/error-headers.ts'
import type { ApiError } from '../../errors/api-error.ts'
import type { RateStatus } from '../../api/door/rate-limit.ts'
import type { HttpResponse } from '../transport/transport.ts'
import { type After, endAnswer } from '../reply.ts'
import { writeHead } from '../write-head.ts'
import type { TusAnswer } from './messages.ts'

/** The request to answer. */
export interface AnsweredUpload {
  readonly requestId: string
  readonly method: string
  readonly rate: RateStatus | undefined
  readonly after: After
  readonly isTlsOnly: boolean
}

/** Headers of the library that the client does not get: this server writes its own. */
const OWN_HEADERS = ['content-length', 'content-type', 'connection', 'cache-control']

/**
 * Whether the client gets a header of the library: CORS headers are dropped, since pages of other sites are refused.
 */
function isGiven(name: string): boolean {
  return !OWN_HEADERS.includes(name) && !name.startsWith('access-control-')
}

/** Writes the library's answer. */
export function writeTusAnswer(res: HttpResponse, answered: AnsweredUpload, answer: TusAnswer): void {
  const { status, headers, body } = answer
  const contentType = headers.get('content-type') ?? undefined
  write(res, answered, { status, contentType, body }, (writeHeader) => {
    for (const [name, value] of headers) if (isGiven(name)) writeHeader(name, value)
  })
}

/** Writes an error in the form of the API. */
export function writeTusError(res: HttpResponse, answered: AnsweredUpload, error: ApiError): void {
  const { status } = error
  const text = JSON.stringify(error.body)
  write(res, answered, { status, contentType: 'application/json', body: text }, (writeHeader) => {
    writeHeader('Tus-Resumable', '1.0.0')
    if (status === 412) writeHeader('Tus-Version', '1.0.0')
    for (const [name, value] of Object.entries(errorHeaders(error) ?? {})) writeHeader(name, value)
  })
}

function write(
  res: HttpResponse,
  { requestId, method, rate, after, isTlsOnly }: AnsweredUpload,
  answer: { readonly status: number; readonly contentType: string | undefined; readonly body: string },
  writeHeaders: (writeHeader: (name: string, value: string) => void) => void,
): void {
  const { status, contentType, body } = answer
  res.cork(() => {
    writeHead(res, { status, requestId, contentType, rate, isTlsOnly, isPrivate: true })
    writeHeaders((name, value) => res.writeHeader(name, value))
    endAnswer(res, { method, after }, status === 204 ? undefined : body)
  })
}

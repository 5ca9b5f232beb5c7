/** Writing the answers of the resumable protocol. */

import type { ApiError } from '../../errors/api-error.ts'
import type { RateStatus } from '../../api/rate-limit.ts'
import type { HttpResponse } from '../uws.ts'
import { endWithoutBody, writeHead } from '../write-head.ts'
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
const OWN_HEADERS = ['content-length', 'content-type', 'connection']

/** Whether the client is given a header of the library: pages of other sites are refused, so they are invited to nothing. */
function isGiven(name: string): boolean {
  return !OWN_HEADERS.includes(name) && !name.startsWith('access-control-')
}

/** Writes what the library answers. */
export function writeTusAnswer(res: HttpResponse, answered: AnsweredUpload, answer: TusAnswer): void {
  const { status, headers, body } = answer
  const contentType = headers.get('content-type') ?? undefined
  write(res, answered, { status, contentType, body }, (writeHeader) => {
    for (const [name, value] of headers) if (isGiven(name)) writeHeader(name, value)
  })
}

/** Writes a refusal in the form of the API. */
export function writeTusError(res: HttpResponse, answered: AnsweredUpload, { status, body }: ApiError): void {
  const text = JSON.stringify(body)
  write(res, answered, { status, contentType: 'application/json', body: text }, (writeHeader) => {
    writeHeader('Tus-Resumable', '1.0.0')
    if (status === 412) writeHeader('Tus-Version', '1.0.0')
  })
}

function write(
  res: HttpResponse,
  { requestId, method, rate, isLast }: AnsweredUpload,
  answer: { readonly status: number; readonly contentType: string | undefined; readonly body: string },
  writeHeaders: (writeHeader: (name: string, value: string) => void) => void,
): void {
  const { status, contentType, body } = answer
  res.cork(() => {
    writeHead(res, { status, requestId, contentType, rate })
    writeHeaders((name, value) => res.writeHeader(name, value))
    if (method === 'HEAD') {
      // Given the length itself, the library of the wire waits for a body that never comes.
      res.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      endWithoutBody(res, isLast)
    } else if (status === 204) endWithoutBody(res, isLast)
    else res.end(body, isLast)
  })
}

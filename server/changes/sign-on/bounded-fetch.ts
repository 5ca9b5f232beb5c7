/** Requests to providers of log-ins: bounded in bytes and time, without redirects. */

import type { Clock } from '../../domain/clock.ts'
import { isSafeAddress } from '../../domain/accounts/login-providers.ts'

/** Milliseconds for one answer: a log-in needs four at most, in less than the 30 s after which routers give up. */
const ANSWER_MS_MAX = 6_000
/** Bytes of an answer: lists of keys and descriptions of a provider have some KiB. */
const ANSWER_BYTES_MAX = 256 * 1024

/** The parts of a request that the library chooses. */
export interface ProviderRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | URLSearchParams | undefined
}

/**
 * Requests an address and reads the whole answer. A redirect is an answer like any other: it leads nowhere. Rejects if
 * the answer is too late or too long, or if the address would send secrets unencrypted.
 */
export async function boundedFetch(
  url: string,
  { method, headers, body }: ProviderRequest,
  clock: Clock,
): Promise<Response> {
  if (!isSafeAddress(url)) throw new Error('the provider names an address without TLS')
  const late = new AbortController()
  const timer = clock.every(ANSWER_MS_MAX, () => late.abort(new Error('the answer is too late')))
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: late.signal,
    })
    const bytes = await readBounded(response)
    const { status, headers: answered } = response
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers: answered })
  } finally {
    timer.stop()
  }
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > ANSWER_BYTES_MAX) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Calls the receiver of an outgoing webhook once, and reads its answer. */

import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { cut } from '../../../server/decisions/notice-wording.ts'
import { SERVICE_INTERFACES, type ServiceInterface } from '../../../server/domain/users/bots.ts'
import { DestinationRefusedError } from '../../../server/outbound/destinations.ts'
import type { GuardedFetch } from '../../../server/outbound/guarded-fetch.ts'
import { AnswerTooLongError } from '../../../server/outbound/read-unpacked.ts'
import type { CallBody } from './compose-call.ts'

/** Milliseconds for a whole call, as in the API family: people wait for the answer. */
const TOTAL_MS_MAX = 10_000
/** Bytes of an answer: the longest message, with every character escaped, has 120,000. */
const ANSWER_BYTES_MAX = 256 * 1024

/** Why a call failed; `call-wording.ts` has the words. */
export type FailureReason =
  /** The status of the answer. */
  | number
  | 'address_refused'
  | 'answer_too_long'
  | 'no_answer'
  | 'answer_not_json'
  | 'answer_no_object'
  | 'answer_without_text'
  | 'answer_not_posted'

/** The result of a call. */
export type CallResult =
  /** The text to post; empty for none. */
  | { readonly kind: 'answered'; readonly content: string }
  | {
      readonly kind: 'failed'
      /** Whether the same call may succeed later. */
      readonly isPassing: boolean
      readonly reason: FailureReason
      /** The body of the answer; empty for none. */
      readonly body: string
    }

/** The parts of a request. */
export interface ReceiverRequest extends CallBody {
  readonly url: string
  readonly interface: ServiceInterface
  readonly headers: Readonly<Record<string, string>>
}

/** Calls the receiver. Never rejects. */
export async function callReceiver(
  fetch: Pick<GuardedFetch, 'fetch'>,
  request: ReceiverRequest,
  totalMsMax = TOTAL_MS_MAX,
): Promise<CallResult> {
  try {
    // Redirects are not followed: they would carry the token to another receiver.
    const { status, body } = await fetch.fetch(request.url, {
      method: 'POST',
      headers: {
        ...request.headers,
        'content-type': request.contentType,
        'user-agent': 'ParleyOutgoingWebhook/1',
      },
      body: Buffer.from(request.text),
      totalMsMax,
      firstByteMsMax: totalMsMax,
      bodyBytesMax: ANSWER_BYTES_MAX,
    })
    const text = readable(body.toString('utf8'))
    if (status >= 200 && status < 300) return readAnswer(text, request.interface)
    return failed(status, { isPassing: status >= 500, body: text })
  } catch (error) {
    if (error instanceof DestinationRefusedError) return failed('address_refused')
    if (error instanceof AnswerTooLongError) return failed('answer_too_long')
    return failed('no_answer', { isPassing: true })
  }
}

function failed(reason: FailureReason, { isPassing = false, body = '' } = {}): CallResult {
  return { kind: 'failed', isPassing, reason, body }
}

/** Reads the answer of a success. */
function readAnswer(text: string, form: ServiceInterface): CallResult {
  if (text.trim() === '') return { kind: 'answered', content: '' }
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return failed('answer_not_json', { body: text })
  }
  if (answer === '') return { kind: 'answered', content: '' } // Some programs of the API family say so.
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return failed('answer_no_object', { body: text })
  const content = form === SERVICE_INTERFACES.slack ? contentOfSlack(answer) : contentOf(answer)
  if (content === undefined || content === null) return { kind: 'answered', content: '' }
  if (typeof content !== 'string') return failed('answer_without_text', { body: text })
  return { kind: 'answered', content: cut(readable(content).trimEnd(), MESSAGE_LENGTH_MAX) }
}

interface GenericAnswer {
  readonly response_not_required?: unknown
  readonly response_string?: unknown
  readonly content?: unknown
}

function contentOf(answer: GenericAnswer): unknown {
  if (answer.response_not_required === true) return undefined
  return answer.content ?? answer.response_string // The second is the older name.
}

const contentOfSlack = (answer: { readonly text?: unknown }): unknown => answer.text

/** Text that the database can hold. */
const readable = (text: string): string => text.toWellFormed().replaceAll('\0', '\u{FFFD}')

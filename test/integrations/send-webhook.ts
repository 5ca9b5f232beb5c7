/** Sends webhooks as their senders do. */

import { INTEGRATIONS } from '../../server/integrations/table.ts'
import { type PlainAnswer, sendRequest } from '../harness/client/send-request.ts'
import type { Fixture } from './fixtures.ts'

/** A webhook to send; its payload is sent as JSON unless `fixture` says otherwise. */
export interface SentWebhook extends Pick<Fixture, 'headers' | 'raw' | 'form' | 'payload'> {
  /** Parameters of the address. */
  readonly query?: Readonly<Record<string, string>>
  readonly method?: string
}

/** An answer, whose body is an object if it is JSON. */
export interface WebhookAnswer extends PlainAnswer {
  readonly body: Record<string, unknown>
}

/** The body of a webhook as it is sent. */
export function bodyOf({ raw, form, payload }: Pick<SentWebhook, 'raw' | 'form' | 'payload'>): string {
  if (raw !== undefined) return String(payload)
  const json = JSON.stringify(payload)
  return form ? new URLSearchParams({ payload: json }).toString() : json
}

const answersOf = (name: string) => Object.values(INTEGRATIONS.get(name)?.answers ?? {})

/**
 * Sends a webhook; rejects if the server fails, or if its answer to a refusal has neither the form of the API nor one of the
 * integration.
 */
export async function sendWebhook(url: string, name: string, webhook: SentWebhook): Promise<WebhookAnswer> {
  const { query = {}, headers = {}, raw, form, method = 'POST' } = webhook
  const address = `${url}/api/v1/external/${name}?${new URLSearchParams(query).toString()}`
  const contentType = raw ?? (form ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8')
  const answer = await sendRequest(address, {
    method,
    headers: { 'content-type': contentType, ...headers },
    body: bodyOf(webhook),
  })
  const isJson = answer.headers.get('content-type') === 'application/json'
  const body = isJson ? (JSON.parse(answer.text) as Record<string, unknown>) : {}
  if (answer.status >= 500) throw new Error(`${name} answered ${answer.status}: ${answer.text}`)
  const isOwnForm = answersOf(name).some(
    ({ status, text }) => status === answer.status && text === answer.text,
  )
  if (answer.status !== 200 && body['result'] !== 'error' && !isOwnForm)
    throw new Error(`a refusal was ${answer.text}`)
  return { ...answer, body }
}

/** Reads the payload of a webhook from its body. */

import type { Integration } from '../integrations/integration.ts'
import { UnreadablePayload } from '../integrations/payload.ts'
import type { GivenWebhook } from './operation.ts'
import { parseJson } from './parse-json.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Throws an `UnreadablePayload` if the body does not have it. */
export function readPayload({ body, form }: GivenWebhook, takes: Integration['takes']): unknown {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  if (takes === 'text') return text
  return parse(form?.get('payload') ?? text)
}

/** Whether a body is a form. */
export function isForm(contentType: string): boolean {
  return contentType.trim().toLowerCase().startsWith(FORM_TYPE)
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new UnreadablePayload('no JSON', { cause: error })
  }
}

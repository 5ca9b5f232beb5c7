/** `POST /external/{integration_name}`: the webhooks of other systems. */

import { nowSeconds } from '../../domain/clock.ts'
import { arrayOf, STRING } from '../../domain/json-schema.ts'
import { INTEGRATIONS } from '../../integrations/table.ts'
import type { Delivery, Integration, Posting, Refusal, Unsupported } from '../../integrations/integration.ts'
import { isWanted } from '../../integrations/event-filter.ts'
import { EmptyPayload, UnreadablePayload } from '../../integrations/payload.ts'
import { BEARER } from '../../integrations/signatures.ts'
import { isChannelUnknown, postWebhook, type WebhookPlace } from '../../changes/webhooks/post-webhook.ts'
import { notifyOwner } from '../../changes/webhooks/notify-owner.ts'
import { ApiError, type ErrorName, type Fail } from '../../errors/api-error.ts'
import { type Call, type GivenWebhook, operation, TextReply } from '../operation.ts'
import { list, optional, type Params, required, text, type ValuesOf } from '../params.ts'
import { readPayload } from '../read-payload.ts'

/** Characters of a place in the address: longer topics are cut, and channels have no longer name. */
const PLACE_LENGTH_MAX = 1_000
/** Filters of one address, and characters of each. */
const FILTERS_MAX = 100
const FILTER_LENGTH_MAX = 100

const filterType = list(text({ lengthMax: FILTER_LENGTH_MAX }), { lengthMax: FILTERS_MAX })

const WEBHOOK_PARAMS = {
  integration_name: required(
    text({ lengthMax: FILTER_LENGTH_MAX }),
    'The integration: the name of the system that sends the webhook.',
  ),
  api_key: required(text({ lengthMax: FILTER_LENGTH_MAX }), 'The key of the bot that posts the messages.'),
  stream: optional(
    text({ lengthMax: PLACE_LENGTH_MAX }),
    'The channel by name or, if it has only digits, by id; by default the message goes to the owner of the bot.',
    { aliases: ['channel'] },
  ),
  topic: optional(text({ lengthMax: PLACE_LENGTH_MAX }), 'The topic, instead of that of the message.'),
  only_events: optional(filterType, 'Names of the only events to post; `*` stands for any text.'),
  exclude_events: optional(filterType, 'Names of events not to post, like `only_events`.'),
} satisfies Params

const ERRORS = [
  'WEBHOOK_PAYLOAD_INVALID',
  'WEBHOOK_TEXT_MISSING',
  'WEBHOOK_SIGNATURE_WRONG',
  'WEBHOOK_NOT_POSTED',
] as const
/** The errors for which senders may have words of their own. */
const REFUSALS: Readonly<Partial<Record<ErrorName, Refusal>>> = {
  WEBHOOK_PAYLOAD_INVALID: 'unreadable',
  WEBHOOK_TEXT_MISSING: 'empty',
  WEBHOOK_SIGNATURE_WRONG: 'unproven',
  PARAMETER_MISSING: 'unproven', // The key: nothing else must be in the address.
  API_KEY_MALFORMED: 'unproven',
  API_KEY_INVALID: 'unproven',
  ACCOUNT_DEACTIVATED: 'unproven',
  KEY_SCOPE_EXCEEDED: 'unproven',
  WEBHOOK_NOT_POSTED: 'forbidden',
}
type WebhookCall = Call<typeof WEBHOOK_PARAMS, (typeof ERRORS)[number]>

export const receiveWebhook = operation({
  method: 'POST',
  path: '/external/{integration_name}',
  summary: 'Receive a webhook',
  description:
    'For other systems, which send their payloads to this address: it posts a message in the name of a bot. The ' +
    'body is that of the sender, and the parameters are in the query. An event that is not posted, since the ' +
    'integration does not know it or the filters exclude it, succeeds. A channel that the bot cannot see ' +
    'succeeds, too, and its owner gets a message, as for each failure that is new. A delivery that the sender ' +
    'repeats is posted once. Integrations whose senders expect a text instead of JSON answer one: `ok`, or a reason.',
  access: 'user',
  takesWebhook: true,
  isForWebhooks: true,
  params: WEBHOOK_PARAMS,
  reply: {
    ignored_events: {
      schema: arrayOf(STRING),
      description: 'The event of the webhook if it is not posted.',
      isOptional: true,
    },
  },
  errors: ERRORS,
  events: ['message', 'attachment/update'],
  refusal({ errorName }, pathParams) {
    const kind = REFUSALS[errorName]
    return kind && INTEGRATIONS.get(pathParams.get('integration_name') ?? '')?.answers?.[kind]
  },
  async run(call) {
    const integration = INTEGRATIONS.get(call.params.integration_name)
    if (!integration) throw call.fail('ENDPOINT_UNKNOWN')
    const ignored = await receive(call, integration)
    if (integration.answers) return new TextReply(integration.answers.posted.text)
    return ignored === undefined ? {} : { ignored_events: [ignored] }
  },
})

/** Posts the webhook; answers the event if it is ignored. */
async function receive(call: WebhookCall, integration: Integration): Promise<string | undefined> {
  const { webhookFigures } = call.services
  const { name } = integration
  await checkSignature(call, integration)
  const { delivery, found } = await read(call, integration)
  if ('unsupported' in found) {
    webhookFigures.note(name, 'unsupported')
    return found.unsupported
  }
  if (!isWanted(found.event, call.params)) {
    webhookFigures.note(name, 'filtered')
    return found.event
  }
  await post(call, integration, found, integration.deliveryId?.(delivery) ?? '')
  return undefined
}

/** Throws if the bot has a secret that the sender does not know. */
async function checkSignature(call: WebhookCall, integration: Integration): Promise<void> {
  const { user, webhook, services, fail } = call
  const secret = services.state.botSetupOf(user.id).webhookSecret
  if (!secret) return
  const { body, headers } = webhook
  const header = (name: string) => headers.get(name) ?? ''
  const check = integration.signature ?? BEARER
  if (check.isRight({ body, header, secret, now: nowSeconds(services.clock) })) return
  services.webhookFigures.note(integration.name, 'unsigned')
  await notifyOwner(services, user, integration, { kind: 'unsigned' })
  throw fail('WEBHOOK_SIGNATURE_WRONG')
}

interface ReadWebhook {
  readonly delivery: Delivery
  readonly found: Posting | Unsupported
}

async function read(
  { user, webhook, services, fail }: WebhookCall,
  integration: Integration,
): Promise<ReadWebhook> {
  try {
    const delivery = deliveryOf(webhook, integration, nowSeconds(services.clock))
    const found = integration.read(delivery)
    if ('content' in found && found.content.trim() === '') throw new EmptyPayload('no text')
    return { delivery, found }
  } catch (error) {
    if (!(error instanceof UnreadablePayload)) throw error
    services.webhookFigures.note(integration.name, 'unreadable')
    await notifyOwner(services, user, integration, { kind: 'unreadable' })
    throw fail(error instanceof EmptyPayload ? 'WEBHOOK_TEXT_MISSING' : 'WEBHOOK_PAYLOAD_INVALID')
  }
}

function deliveryOf(webhook: GivenWebhook, { takes }: Integration, now: number): Delivery {
  const { body, headers } = webhook
  return { payload: readPayload(webhook, takes), body, header: (name) => headers.get(name) ?? '', now }
}

async function post(
  { user, client, params, services, fail }: WebhookCall,
  integration: Integration,
  posting: Posting,
  deliveryId: string,
): Promise<void> {
  const { name } = integration
  const { webhookFigures: figures, state } = services
  const place = placeOf(params, integration)
  try {
    await postWebhook(services, {
      bot: state.getUser(user.id),
      integration,
      posting,
      place,
      deliveryId,
      client,
    })
    figures.note(name, 'posted')
  } catch (error) {
    // Not a server that is busy, or a parameter that is missing: only what the owner can mend.
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    const channel = String(place.channel ?? '')
    if (isChannelUnknown(error)) {
      figures.note(name, 'channel_unknown')
      await notifyOwner(services, user, integration, { kind: 'channel_unknown', channel })
      return
    }
    figures.note(name, 'refused')
    const reason = error.message
    await notifyOwner(services, user, integration, { kind: 'refused', channel, reason })
    throw notPosted(reason, fail)
  }
}

function notPosted(reason: string, fail: Fail<'WEBHOOK_NOT_POSTED'>): ApiError {
  return fail('WEBHOOK_NOT_POSTED', { reason })
}

function placeOf(
  { stream, topic }: ValuesOf<typeof WEBHOOK_PARAMS>,
  { escapesTwice }: Integration,
): WebhookPlace {
  const given = stream === '' ? undefined : stream
  const channel = given !== undefined && escapesTwice ? unescapeAgain(given) : given
  return {
    channel: channel !== undefined && /^\d{1,15}$/.test(channel) ? Number(channel) : channel,
    topic: topic !== undefined && escapesTwice ? unescapeAgain(topic) : topic,
  }
}

function unescapeAgain(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value // It was escaped once, and has a percent sign.
  }
}

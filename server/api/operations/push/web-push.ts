/** Subscriptions to web push: the browsers and apps that get notifications of the caller. An extension of the API. */

import { describeClient } from '../../../../packages/rules/describe-client.ts'
import {
  findReceiver,
  findSameWebPush,
  readServerKey,
  readWebPushes,
  removeWebPush,
} from '../../../../db/personal/web-push.ts'
import { findMailAnswer } from '../../../../db/mail/mail-results.ts'
import { readPhones } from '../../../../db/personal/phones.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { decideNewWebPush } from '../../../decisions/push/change-devices.ts'
import type { User } from '../../../domain/entities.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull, record, STRING } from '../../../domain/json-schema.ts'
import { storedClient } from '../../log-in-session.ts'
import type { UserId, WebPushId } from '../../../domain/ids.ts'
import {
  ENDPOINT_LENGTH_MAX,
  type NewWebPush,
  PUSH_SECRET_LENGTH,
} from '../../../domain/personal/web-push.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { DestinationRefusedError, hostOf } from '../../../outbound/destinations.ts'
import { isReceiverKey, makeServerKey } from '../../../outbound/web-push-keys.ts'
import { change } from '../../change-operation.ts'
import { operation } from '../../operation.ts'
import { id, required, text } from '../../params.ts'
import type { Services } from '../../services.ts'
import { PUSH_ID_LENGTH_MAX } from './push-params.ts'
import { PUSH_TEST_ERRORS, sendPushTest } from './tests.ts'

const SUBSCRIPTION = record({
  id: INTEGER,
  client: STRING,
  client_name: STRING,
  service: STRING,
  created_at: INTEGER,
  last_success_at: orNull(INTEGER),
  last_answer: orNull(STRING),
  is_current: BOOLEAN,
})

const PHONE = record({
  device_id: orNull(INTEGER),
  kind: STRING,
  registered_at: INTEGER,
  is_registered: BOOLEAN,
  last_success_at: orNull(INTEGER),
  last_answer: orNull(STRING),
})

const EMAIL = record({ last_success_at: orNull(INTEGER), last_answer: orNull(STRING) })

/** Whether emails about messages arrive, which stands on the same page for people. */
async function viewEmail(sql: Services['sql'], user: User) {
  const answer = await findMailAnswer(sql, user)
  return { last_success_at: answer?.lastSuccessAt ?? null, last_answer: answer?.lastAnswer ?? null }
}

/** The phones of the family's apps, which stand on the same page for people. */
async function viewPhones(sql: Services['sql'], userId: UserId) {
  const phones = await readPhones(sql, userId)
  return phones.map((one) => ({
    device_id: one.deviceId,
    kind: one.kind,
    registered_at: one.registeredAt,
    is_registered: one.isRegistered,
    last_success_at: one.lastSuccessAt,
    last_answer: one.lastAnswer,
  }))
}

/** `GET /users/me/web_push`. */
export const getWebPushes = operation({
  method: 'GET',
  path: '/users/me/web_push',
  summary: 'Get own subscriptions to web push',
  description: 'Only the user themselves sees these.',
  access: 'user',
  params: {},
  reply: {
    public_key: {
      schema: orNull(STRING),
      description:
        'The key of the server (`applicationServerKey`) that browsers subscribe for, in base64url; null if the ' +
        'operator has turned web push off.',
    },
    subscriptions: {
      schema: arrayOf(SUBSCRIPTION),
      description:
        'The newest first: with the `User-Agent` of the browser or app and its name for people, the host of its push ' +
        'service, the time when it was registered and that of the last push that the service took, in UNIX ' +
        "seconds, the status of the service's last answer or a word for none, and whether the session of the request " +
        'registered it.',
    },
    phones: {
      schema: arrayOf(PHONE),
      description:
        'The phones that the push relay reaches, the newest first: their device, or null for the token of an older app, ' +
        'the kind of push service (`apns` or `fcm`), when they were registered, whether the relay has their token, when it last ' +
        'took a push for them, in UNIX seconds, and its last answer, `200` or a word.',
    },
    email: {
      schema: EMAIL,
      description:
        'When the mail server last took an email about messages to the address of the user, in UNIX seconds, and the status of its ' +
        'last answer or a word for none; null before the first.',
    },
  },
  errors: ['BOT_REFUSED'],
  events: [],
  async run({ user, exchange, services: { sql, hasWebPush }, fail }) {
    checkPerson({ caller: user, fail })
    const [phones, email] = [await viewPhones(sql, user.id), await viewEmail(sql, user)]
    if (!hasWebPush) return { public_key: null, subscriptions: [], phones, email }
    const { publicKey } = await readServerKey(sql, makeServerKey)
    const rows = await readWebPushes(sql, user.id)
    return {
      phones,
      email,
      public_key: publicKey.toString('base64url'),
      subscriptions: rows.map(
        ({ id, client, endpoint, createdAt, lastSuccessAt, lastAnswer, sessionId }) => ({
          id,
          client,
          client_name: describeClient(client),
          service: hostOf(new URL(endpoint)),
          created_at: createdAt,
          last_success_at: lastSuccessAt,
          last_answer: lastAnswer,
          is_current: sessionId !== null && sessionId === exchange.session?.id,
        }),
      ),
    }
  },
})

/** `POST /users/me/web_push`: adds the browser or app of the request. */
export const addWebPush = change({
  method: 'POST',
  path: '/users/me/web_push',
  summary: 'Subscribe to web push',
  description: `Registers the browser or app of the caller for notifications (RFC 8030, 8291 and 8292), by the fields of its
subscription. It ends with the session or the API key of the request, and when its push service no longer knows it. The same
subscription again changes nothing. A user has 20; another one replaces the one that was reached the longest time ago.`,
  access: 'user',
  params: {
    endpoint: required(text({ lengthMax: ENDPOINT_LENGTH_MAX }), 'The address at the push service.'),
    p256dh: required(
      text({ lengthMax: PUSH_ID_LENGTH_MAX }),
      'The key of the receiver: an uncompressed point of P-256, in base64url.',
    ),
    auth: required(
      text({ lengthMax: PUSH_ID_LENGTH_MAX }),
      'The secret of the receiver: 16 bytes, in base64url.',
    ),
  },
  reply: { web_push_id: { schema: INTEGER, description: 'Its id.' } },
  errors: ['BOT_REFUSED', 'PUSH_NOT_CONFIGURED', 'WEB_PUSH_FIELD_INVALID'],
  events: ['web_push_added'],
  async prepare({ params, user, exchange, keyHash, userAgent, services, fail }) {
    checkPerson({ caller: user, fail })
    if (!services.hasWebPush) throw fail('PUSH_NOT_CONFIGURED')
    const subscription: NewWebPush = {
      ...readFields(params, services, fail),
      holder: exchange.session ? { sessionId: exchange.session.id } : { keyHash },
      client: storedClient(userAgent),
    }
    return { subscription, sameId: await findSameWebPush(services.sql, user.id, subscription) }
  },
  decide: decideNewWebPush,
  answer: (id) => ({ web_push_id: id }),
})

function readFields(
  given: { readonly endpoint: string; readonly p256dh: string; readonly auth: string },
  { destinations }: Services,
  fail: Fail<'WEB_PUSH_FIELD_INVALID'>,
) {
  const invalid = (name: string) => fail('WEB_PUSH_FIELD_INVALID', { name })
  if (!URL.canParse(given.endpoint)) throw invalid('endpoint')
  const url = new URL(given.endpoint)
  try {
    destinations.check(url, true)
  } catch (error) {
    if (error instanceof DestinationRefusedError) throw invalid('endpoint')
    throw error
  }
  const p256dh = readBase64url(given.p256dh)
  if (!p256dh || !isReceiverKey(p256dh)) throw invalid('p256dh')
  const auth = readBase64url(given.auth)
  if (auth?.length !== PUSH_SECRET_LENGTH) throw invalid('auth')
  if (url.href.length > ENDPOINT_LENGTH_MAX) throw invalid('endpoint')
  return { endpoint: url.href, p256dh, auth }
}

/** The bytes of text in base64url, with or without padding; undefined for other text. */
function readBase64url(given: string): Buffer | undefined {
  const bare = given.replace(/=+$/, '')
  const bytes = Buffer.from(bare, 'base64url')
  return bytes.toString('base64url') === bare ? bytes : undefined
}

const WEB_PUSH_ID = required(id<WebPushId>(), 'The subscription.')

/** `DELETE /users/me/web_push/{web_push_id}`. */
export const deleteWebPush = operation({
  method: 'DELETE',
  path: '/users/me/web_push/{web_push_id}',
  summary: 'Unsubscribe from web push',
  description: 'The browser or app gets no more notifications.',
  access: 'user',
  params: { web_push_id: WEB_PUSH_ID },
  reply: {},
  errors: ['BOT_REFUSED', 'WEB_PUSH_UNKNOWN'],
  events: [],
  async run({ params, user, services: { sql }, fail }) {
    checkPerson({ caller: user, fail })
    if (!(await removeWebPush(sql, user.id, params.web_push_id))) throw fail('WEB_PUSH_UNKNOWN')
    return {}
  },
})

/** `POST /users/me/web_push/{web_push_id}/test`: sends a notification to one browser or app of the caller. */
export const testWebPush = operation({
  method: 'POST',
  path: '/users/me/web_push/{web_push_id}/test',
  summary: 'Send a test notification by web push',
  description: 'The reply follows once the push service has taken it.',
  access: 'user',
  params: { web_push_id: WEB_PUSH_ID },
  reply: {},
  errors: ['BOT_REFUSED', 'WEB_PUSH_UNKNOWN', 'PUSH_NOT_CONFIGURED', ...PUSH_TEST_ERRORS],
  events: [],
  async run({ params, user, services, requestId, fail }) {
    checkPerson({ caller: user, fail })
    if (!services.hasWebPush) throw fail('PUSH_NOT_CONFIGURED')
    const webPushId = params.web_push_id
    if (!(await findReceiver(services.sql, user.id, webPushId))) throw fail('WEB_PUSH_UNKNOWN')
    await sendPushTest({ services, user, requestId, fail }, { kind: 'web', webPushId })
    return {}
  },
})

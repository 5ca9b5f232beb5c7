/** Keys of programs with a scope: of the caller, and of bots that they manage. */

import { readKeysSeen } from '../../../../db/accounts/named-keys.ts'
import { newNamedKey } from '../../../changes/users/named-keys.ts'
import { findManagedBot, MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'
import {
  decideKeyEndOfBot,
  decideKeyOfBot,
  decideNewOwnKey,
  decideOwnKeyEnd,
  NEW_BOT_KEY_ERRORS,
  NEW_OWN_KEY_ERRORS,
  REVOKE_BOT_KEY_ERRORS,
} from '../../../decisions/users/change-named-keys.ts'
import {
  isLiveKey,
  KEY_AGE_SECONDS_MAX,
  KEY_AGE_SECONDS_MIN,
  KEY_NAME_LENGTH_MAX,
  KEY_SCOPES,
  NAMED_KEYS_PER_USER_MAX,
  type NamedKey,
} from '../../../domain/accounts/named-keys.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import {
  arrayOf,
  INTEGER,
  oneOf as oneOfSchema,
  orNull,
  record,
  STRING,
} from '../../../domain/json-schema.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { change } from '../../change-operation.ts'
import { type Call, operation } from '../../operation.ts'
import {
  id,
  integer,
  nullable,
  oneOf,
  optional,
  type Params,
  required,
  text,
  type ValuesOf,
} from '../../params.ts'
import { KEY_PROOF_ERRORS, PROOF_PARAMS, proveForKey } from '../../prove-caller.ts'

/** Characters of a key's id. */
const ID_LENGTH_MAX = 36

const KEY = record({
  id: STRING,
  name: STRING,
  scope: oneOfSchema(...KEY_SCOPES),
  stream_id: orNull(INTEGER),
  created_at: INTEGER,
  expires_at: orNull(INTEGER),
  last_used_at: orNull(INTEGER),
})

const LIST_REPLY = {
  keys: {
    schema: arrayOf(KEY),
    description:
      'The keys that are not over, the oldest first: with their scope, the channel of the scope `channel`, and the times at ' +
      'which they were made, end, and were last used (ten minutes late at most), in UNIX seconds or null.',
  },
}
const NEW_REPLY = {
  id: { schema: STRING, description: 'The id of the key.' },
  api_key: { schema: STRING, description: 'The key, which the server cannot show again.' },
}
const SCOPES =
  'A key of the scope `read` reads what its user reads and changes nothing. One of the scope `messages` also sends ' +
  'messages, adds and removes reactions, and changes drafts. One of the scope `channel` reads, posts and ' +
  'reacts in one channel: it gets messages with a narrow for that channel, its event queues have the messages of that ' +
  'channel alone, and it uploads files to link there. One of the scope `webhooks` only posts webhooks of other systems, and only bots have it. Other requests get 403 ' +
  'with the code `KEY_SCOPE_EXCEEDED`. '
const LIMITS =
  `A user has ${NAMED_KEYS_PER_USER_MAX} keys at most. Within a session it needs a proof, like ` +
  '`POST /users/me/api_key/regenerate`.'

const NEW_PARAMS = {
  name: required(
    text({ lengthMax: KEY_NAME_LENGTH_MAX, trim: true, blank: false }),
    'The program, for people.',
  ),
  scope: required(oneOf(...KEY_SCOPES), 'What the key opens.'),
  stream_id: optional(id<ChannelId>(), 'The channel of the scope `channel`.'),
  expires_in_seconds: optional(
    nullable(integer({ min: KEY_AGE_SECONDS_MIN, max: KEY_AGE_SECONDS_MAX })),
    'The life of the key; by default it has no end.',
  ),
  ...PROOF_PARAMS,
}
const BOT_PARAM = { bot_id: required(id<UserId>(), 'The id of the bot.') }
const KEY_PARAM = { key_id: required(text({ lengthMax: ID_LENGTH_MAX }), 'The id of the key.') }

const PREPARE_ERRORS = [...KEY_PROOF_ERRORS, 'PARAMETERS_INCOMPATIBLE'] as const

/** Makes the key of a call. */
async function prepareKey({
  user,
  exchange,
  params,
  services,
  fail,
}: Call<typeof NEW_PARAMS, (typeof PREPARE_ERRORS)[number]>) {
  const { name, scope, stream_id: channelId } = params
  if (scope === 'channel' && channelId === undefined) throw fail('PARAMETER_MISSING', { name: 'stream_id' })
  if (scope !== 'channel' && channelId !== undefined)
    throw fail('PARAMETERS_INCOMPATIBLE', { names: ['scope', 'stream_id'] })
  await proveForKey(services, { user, exchange, params }, fail)
  const createdAt = nowSeconds(services.clock)
  return newNamedKey({
    name,
    scope,
    channelId: channelId ?? null,
    createdAt,
    expiresAt: endOf(params, createdAt),
  })
}

function endOf({ expires_in_seconds: age }: ValuesOf<typeof NEW_PARAMS>, createdAt: number): number | null {
  return age === undefined || age === null ? null : createdAt + age
}

/** The keys of a user, as people see them. */
async function listKeys(
  { services: { sql, state, clock } }: Pick<Call<Params, never>, 'services'>,
  userId: UserId,
) {
  const seen = await readKeysSeen(sql, userId)
  const now = nowSeconds(clock)
  return {
    keys: state
      .namedKeysOf(userId)
      .filter((key) => isLiveKey(key, now))
      .map((key) => viewKey(key, seen)),
  }
}

function viewKey(
  { id, name, scope, channelId, createdAt, expiresAt }: NamedKey,
  seen: ReadonlyMap<string, number>,
) {
  return {
    id,
    name,
    scope,
    stream_id: channelId,
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: seen.get(id) ?? null,
  }
}

export const getOwnKeys = operation({
  method: 'GET',
  path: '/users/me/keys',
  summary: 'Get own keys of programs',
  description: 'Only the user themselves sees these.',
  access: 'user',
  params: {},
  reply: LIST_REPLY,
  errors: [],
  events: [],
  run: (call) => listKeys(call, call.user.id),
})

export const createOwnKey = change({
  method: 'POST',
  path: '/users/me/keys',
  summary: 'Create an own key for a program',
  description: SCOPES + LIMITS,
  access: 'user',
  passwordParam: 'password',
  params: NEW_PARAMS,
  reply: NEW_REPLY,
  errors: [...NEW_OWN_KEY_ERRORS, ...PREPARE_ERRORS],
  events: ['named_key_made', 'named_keys_ended'],
  prepare: prepareKey,
  decide: decideNewOwnKey,
  answer: (_result, _call, { key, apiKey }) => ({ id: key.id, api_key: apiKey }),
})

export const revokeOwnKey = change({
  method: 'DELETE',
  path: '/users/me/keys/{key_id}',
  summary: 'Revoke an own key of a program',
  description: 'Event queues that were registered with the key end with it.',
  access: 'user',
  params: KEY_PARAM,
  reply: {},
  errors: ['KEY_UNKNOWN'],
  events: ['named_keys_ended'],
  prepare: ({ params }) => ({ keyId: params.key_id }),
  decide: decideOwnKeyEnd,
})

export const getBotKeys = operation({
  method: 'GET',
  path: '/bots/{bot_id}/keys',
  summary: 'Get the keys of programs of a bot',
  description: 'For the owner of the bot, and for administrators.',
  access: 'user',
  params: BOT_PARAM,
  reply: LIST_REPLY,
  errors: MANAGED_BOT_ERRORS,
  events: [],
  run: (call) => listKeys(call, findManagedBot(scopeOfCall(call), { botId: call.params.bot_id }).id),
})

export const createKeyOfBot = change({
  method: 'POST',
  path: '/bots/{bot_id}/keys',
  summary: 'Create a key for a program of a bot',
  description: `For the owner of the bot, and for administrators. ${SCOPES}${LIMITS}`,
  access: 'user',
  passwordParam: 'password',
  params: { ...BOT_PARAM, ...NEW_PARAMS },
  reply: NEW_REPLY,
  errors: [...NEW_BOT_KEY_ERRORS, ...PREPARE_ERRORS],
  events: ['named_key_made', 'named_keys_ended'],
  prepare: async (call) => ({ botId: call.params.bot_id, ...(await prepareKey(call)) }),
  decide: decideKeyOfBot,
  answer: (_result, _call, { key, apiKey }) => ({ id: key.id, api_key: apiKey }),
})

export const revokeKeyOfBot = change({
  method: 'DELETE',
  path: '/bots/{bot_id}/keys/{key_id}',
  summary: 'Revoke a key of a program of a bot',
  description: 'For the owner of the bot, and for administrators. Event queues of the key end with it.',
  access: 'user',
  params: { ...BOT_PARAM, ...KEY_PARAM },
  reply: {},
  errors: REVOKE_BOT_KEY_ERRORS,
  events: ['named_keys_ended'],
  prepare: ({ params }) => ({ botId: params.bot_id, keyId: params.key_id }),
  decide: decideKeyEndOfBot,
})

/** The secret that signs the calls of an outgoing webhook. */

import { readWebhook, replaceSecret } from '../../../../db/notifications/outgoing-webhooks.ts'
import { findManagedBot, MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'
import { BOT_TYPES } from '../../../domain/entities.ts'
import type { UserId } from '../../../domain/ids.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { type Call, operation } from '../../operation.ts'
import { id, type Params, required } from '../../params.ts'
import { isFresh, KEY_PROOF_ERRORS, PROOF_PARAMS, proveForKey } from '../../prove-caller.ts'

const ERRORS = [...MANAGED_BOT_ERRORS, 'BOT_SERVICE_MISSING'] as const
const BOT_PARAM = { bot_id: required(id<UserId>(), 'The id of the bot.') }
const REPLY = {
  signing_secret: { schema: STRING, description: 'The secret: `whsec_`, and 32 bytes in base64.' },
}

/** Throws unless the caller manages the bot, and it is an outgoing webhook. */
function checkWebhook(call: Call<Params, (typeof ERRORS)[number]>, botId: UserId): void {
  const { botType } = findManagedBot(scopeOfCall(call), { botId })
  if (botType !== BOT_TYPES.outgoingWebhook) throw call.fail('BOT_SERVICE_MISSING')
}

/** `GET /bots/{bot_id}/signing_secret`. */
export const getSigningSecret = operation({
  method: 'GET',
  path: '/bots/{bot_id}/signing_secret',
  summary: 'Get the signing secret of an outgoing webhook',
  description:
    'For the owner of the bot, and for administrators. The receiver checks the signature of each call with it, by the ' +
    'Standard Webhooks specification. Within a session it needs a log-in within the last ten minutes.',
  access: 'user',
  params: BOT_PARAM,
  reply: REPLY,
  errors: [...ERRORS, 'RECENT_LOGIN_REQUIRED'],
  events: [],
  async run(call) {
    const { params, exchange, services, fail } = call
    checkWebhook(call, params.bot_id)
    // A password must not be in an address.
    if (exchange.session && !isFresh(services, exchange.session)) throw fail('RECENT_LOGIN_REQUIRED')
    const { secret } = await readWebhook(services.sql, params.bot_id)
    return { signing_secret: secret }
  },
})

/** `POST /bots/{bot_id}/signing_secret/regenerate`. */
export const regenerateSigningSecret = operation({
  method: 'POST',
  path: '/bots/{bot_id}/signing_secret/regenerate',
  summary: 'Regenerate the signing secret of an outgoing webhook',
  description:
    'For the owner of the bot, and for administrators. Later calls are signed with the new secret. Within a session it ' +
    'needs a proof, like `POST /users/me/api_key/regenerate`.',
  access: 'user',
  passwordParam: 'password',
  params: { ...BOT_PARAM, ...PROOF_PARAMS },
  reply: REPLY,
  errors: [...ERRORS, ...KEY_PROOF_ERRORS],
  events: [],
  async run(call) {
    const { user, params, exchange, services, fail } = call
    checkWebhook(call, params.bot_id)
    await proveForKey(services, { user, exchange, params }, fail)
    return { signing_secret: await replaceSecret(services.sql, params.bot_id) }
  },
})

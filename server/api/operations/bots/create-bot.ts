/** `POST /bots`. */

import { checkPerson } from '../../../decisions/check-caller.ts'
import { newApiKey, createApiKey } from '../../../changes/passwords.ts'
import { findInterface } from '../../../decisions/bots/change-bot-setup.ts'
import { checkBotRight } from '../../../decisions/bots/check-bot.ts'
import { decideNewBot, NEW_BOT_ERRORS } from '../../../decisions/bots/create-bot.ts'
import { checkFullName, FULL_NAME_ERRORS } from '../../../decisions/users/check-full-name.ts'
import { type BotService, SERVICE_INTERFACES } from '../../../domain/users/bots.ts'
import { BOT_TYPES } from '../../../domain/entities.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import { EMAIL_LENGTH_MAX } from '../../../domain/limits.ts'
import type { CommonErrorName, Fail } from '../../../errors/api-error.ts'
import { viewOwnBot } from '../../../views/bot-view.ts'
import { change } from '../../change-operation.ts'
import { KEY_PROOF_ERRORS, PROOF_PARAMS, proveForKey } from '../../prove-caller.ts'
import { defaulted, integer, optional, required, text, type ValuesOf } from '../../params.ts'
import { FULL_NAME_MEANING, fullNameType } from '../users/account-params.ts'
import { BOT_PICTURE_ERRORS, BOT_PICTURE_FILE, makeBotPicture } from './bot-picture.ts'
import {
  DEFAULT_CHANNEL_PARAMS,
  DEFAULT_CHANNEL_REPLY,
  INTERFACE_MEANING,
  interfaceType,
  payloadUrlType,
  readDefaultChannels,
} from './bot-params.ts'

/** Embedded bots are not supported: this server runs no foreign code. */
const TYPES = [BOT_TYPES.generic, BOT_TYPES.incomingWebhook, BOT_TYPES.outgoingWebhook] as const

const SERVICE_PARAMS = {
  payload_url: optional(payloadUrlType, 'For outgoing webhooks: the address that receives messages.'),
  interface_type: defaulted(interfaceType, SERVICE_INTERFACES.generic, INTERFACE_MEANING),
}

export const createBot = change({
  method: 'POST',
  path: '/bots',
  summary: 'Create a bot',
  description:
    'For people with the permission to create bots; for incoming webhooks, the permission to create bots that ' +
    'only write is enough. The email address contains the short name. A multipart body may have a picture; if ' +
    'avatar changes are disabled, only administrators give one. Within a session it needs a proof, like ' +
    '`POST /users/me/api_key/regenerate`, since it answers a key.',
  access: 'user',
  file: BOT_PICTURE_FILE,
  passwordParam: 'password',
  params: {
    full_name: required(fullNameType, FULL_NAME_MEANING),
    short_name: required(
      text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
      'The start of the email address, before `-bot` and the host.',
    ),
    bot_type: defaulted(
      integer(),
      BOT_TYPES.generic,
      '1 generic bot, 2 incoming webhook, which can only send messages, 3 outgoing webhook.',
    ),
    ...SERVICE_PARAMS,
    ...DEFAULT_CHANNEL_PARAMS,
    ...PROOF_PARAMS,
  },
  reply: {
    user_id: { schema: INTEGER, description: "The new bot's id." },
    api_key: { schema: STRING, description: 'Its API key, which the server cannot show again.' },
    avatar_url: { schema: STRING, description: 'The address of the avatar.' },
    ...DEFAULT_CHANNEL_REPLY,
  },
  errors: [
    'BOT_REFUSED',
    'BOT_TYPE_UNKNOWN',
    'BOT_INTERFACE_UNKNOWN',
    ...FULL_NAME_ERRORS,
    ...NEW_BOT_ERRORS,
    ...BOT_PICTURE_ERRORS,
    ...KEY_PROOF_ERRORS,
  ],
  events: [
    'realm_user/add',
    'realm_bot/add',
    'user_group/add_members',
    'api_keys_changed',
    'bot_setup_changed',
  ],
  async prepare({ user, exchange, params, files, services, fail }) {
    const { full_name: fullName, short_name: shortName } = params
    checkPerson({ caller: user, fail })
    const botType = TYPES.find((type) => type === params.bot_type)
    if (botType === undefined) throw fail('BOT_TYPE_UNKNOWN')
    checkFullName({ fail }, fullName)
    const service = botType === BOT_TYPES.outgoingWebhook ? readService(params, fail) : null
    const scope = { state: services.state, caller: services.state.getUser(user.id), fail }
    checkBotRight(scope, botType)
    await proveForKey(services, { user, exchange, params }, fail)
    const pictureId = await makeBotPicture(services, scope, files)
    const channels = readDefaultChannels(params)
    return { fullName, shortName, botType, service, channels, pictureId, ...newApiKey() }
  },
  decide: decideNewBot,
  answer(id, { user, services: { state } }, { apiKey }) {
    const { full_name: _, username: __, ...own } = viewOwnBot(state.getUser(id), user, state)
    return { ...own, api_key: apiKey }
  },
})

/** The service of an outgoing webhook. Its token proves that messages come from this server. */
function readService(
  { payload_url: url, interface_type: number }: ValuesOf<typeof SERVICE_PARAMS>,
  fail: Fail<'BOT_INTERFACE_UNKNOWN' | CommonErrorName>,
): BotService {
  if (url === undefined) throw fail('PARAMETER_MISSING', { name: 'payload_url' })
  return { url, token: createApiKey(), interface: findInterface({ fail }, number) }
}

/** `POST /bots`. */

import { type BotSetup, PLAIN_BOT_SETUP, SERVICE_INTERFACES } from '../../../domain/bots.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { isEmailAddress } from '../../../domain/email-addresses.ts'
import { BOT_TYPES, ROLES } from '../../../domain/entities.ts'
import { EMAIL_LENGTH_MAX } from '../../../domain/limits.ts'
import { viewOwnBot } from '../../../views/bot-view.ts'
import { createUser } from '../../changes/change-users.ts'
import type { CommonErrorName, Fail } from '../../../errors/api-error.ts'
import { operation } from '../../operation.ts'
import { defaulted, integer, optional, required, text, type ValuesOf } from '../../params.ts'
import { createApiKey } from '../../../changes/passwords.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import {
  DEFAULT_CHANNEL_PARAMS,
  DEFAULT_CHANNEL_REPLY,
  INTERFACE_MEANING,
  interfaceType,
  payloadUrlType,
  readDefaultChannels,
  readInterface,
} from './bot-params.ts'
import { checkBotCount, checkBotRight, isBotNameTaken } from '../../../decisions/bots/check-bot.ts'
import { checkUniqueName } from '../../../decisions/users/check-unique-name.ts'
import { checkFullName, FULL_NAME_ERRORS, FULL_NAME_MEANING, fullNameType } from '../users/full-name-param.ts'

/** Nothing runs within this server, so that none is embedded. */
const TYPES = [BOT_TYPES.generic, BOT_TYPES.incomingWebhook, BOT_TYPES.outgoingWebhook] as const

const SERVICE_PARAMS = {
  payload_url: optional(payloadUrlType, 'For outgoing webhooks: where messages go.'),
  interface_type: defaulted(interfaceType, SERVICE_INTERFACES.generic, INTERFACE_MEANING),
}

export const createBot = operation({
  method: 'POST',
  path: '/bots',
  summary: 'Create a bot',
  description:
    'For people, where they may create bots; for incoming webhooks it is enough that they may create bots that only ' +
    'write. Its email address is made from the short name.',
  access: 'user',
  params: {
    full_name: required(fullNameType, FULL_NAME_MEANING),
    short_name: required(
      text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
      'The email address up to `-bot` and the host.',
    ),
    bot_type: defaulted(
      integer(),
      BOT_TYPES.generic,
      '1 a bot for everything, 2 an incoming webhook, which only sends messages, 3 an outgoing webhook.',
    ),
    ...SERVICE_PARAMS,
    ...DEFAULT_CHANNEL_PARAMS,
  },
  reply: {
    user_id: { schema: INTEGER, description: "The new bot's id." },
    api_key: { schema: STRING, description: 'Its API key, which the server cannot tell again.' },
    avatar_url: { schema: STRING, description: 'The address of the avatar.' },
    ...DEFAULT_CHANNEL_REPLY,
  },
  errors: [
    'BOT_REFUSED',
    'PERMISSION_MISSING',
    'BOT_TYPE_UNKNOWN',
    'BOT_INTERFACE_UNKNOWN',
    'CHANNEL_NAME_UNKNOWN',
    ...FULL_NAME_ERRORS,
    'FULL_NAME_TAKEN',
    'BOT_ADDRESS_INVALID',
    'BOT_ADDRESS_TAKEN',
    'BOT_NAME_TAKEN',
    'TOO_MANY_BOTS',
  ],
  events: [
    'realm_user/add',
    'realm_bot/add',
    'user_group/add_members',
    'api_keys_changed',
    'bot_setup_changed',
  ],
  async run({ user, params, services: { committer, clock, state: present }, fail }) {
    const { full_name: fullName, short_name: shortName } = params
    if (user.botType !== null) throw fail('BOT_REFUSED')
    const botType = TYPES.find((type) => type === params.bot_type)
    if (botType === undefined) throw fail('BOT_TYPE_UNKNOWN')
    checkFullName(fullName, fail)
    const service = botType === BOT_TYPES.outgoingWebhook ? readService(params, fail) : null
    const apiKey = createApiKey()
    const joinedAt = nowSeconds(clock)
    const id = await committer.submit({
      kind: 'structure',
      decide(state) {
        const owner = state.getUser(user.id)
        checkBotRight(owner, botType, state, fail)
        const email = `${shortName}-bot@${state.emailHost}`
        if (!isEmailAddress(email)) throw fail('BOT_ADDRESS_INVALID')
        if (state.findUserByEmail(email)) throw fail('BOT_ADDRESS_TAKEN')
        if (isBotNameTaken(fullName, undefined, state)) throw fail('BOT_NAME_TAKEN')
        checkUniqueName(fullName, undefined, state, fail)
        checkBotCount(owner.id, state, fail)
        const said = readDefaultChannels(params, owner, state, fail)
        const isPlain = service === null && Object.keys(said).length === 0
        const bot = {
          email,
          fullName,
          role: ROLES.member, // Guests make none.
          isActive: true,
          botType,
          botOwnerId: owner.id,
          timezone: '',
          joinedAt,
          avatarVersion: 1,
        }
        const setup = isPlain ? PLAIN_BOT_SETUP : { ...PLAIN_BOT_SETUP, service, ...said }
        const decision = createUser(bot, apiKey, setup).decide(state)
        return { events: decision.events, reply: (firstId) => decision.reply(firstId).id }
      },
    })
    const { full_name: _, username: __, ...told } = viewOwnBot(present.getUser(id), user, present)
    return { ...told, api_key: apiKey }
  },
})

/** Where the messages of an outgoing webhook go; by the token the service knows them to be from here. */
function readService(
  params: ValuesOf<typeof SERVICE_PARAMS>,
  fail: Fail<'BOT_INTERFACE_UNKNOWN' | CommonErrorName>,
): BotSetup['service'] {
  const { payload_url: url, interface_type: number } = params
  if (url === undefined) throw fail('PARAMETER_MISSING', { name: 'payload_url' })
  return { url, token: createApiKey(), interface: readInterface(number, fail) }
}

/** Bots. */

import { type BotSetupChange, findInterface } from '../../../decisions/bots/change-bot-setup.ts'
import type { DefaultChannelNames } from '../../../decisions/bots/default-channels.ts'
import { arrayOf, BOOLEAN, INTEGER, orNull, STRING } from '../../../domain/json-schema.ts'
import {
  AVATAR_MIB_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  EMAIL_LENGTH_MAX,
  PAYLOAD_URL_LENGTH_MAX,
  WEBHOOK_SECRET_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { isWebAddress } from '../../../domain/organization/profile-fields.ts'
import { type CommonErrorName, fail, type Fail } from '../../../errors/api-error.ts'
import {
  boolean,
  defaulted,
  id,
  integer,
  looseJson,
  nullable,
  object,
  optional,
  required,
  text,
  type Type,
  type ValuesOf,
} from '../../params.ts'
import { IMAGE_ERRORS, makePicture, type PictureMaking } from '../../../changes/pictures/make-picture.ts'
import { type AVATAR_ERRORS, checkAvatarChanges } from '../../../decisions/users/change-avatar.ts'
import type { PictureId } from '../../../domain/files/pictures.ts'
import type { Scope } from '../../../decisions/scope.ts'
import { OWN_BOT, viewChangedBot, viewOwnBot } from '../../../views/bot-view.ts'
import { operation } from '../../operation.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { createApiKey, newApiKey } from '../../../changes/passwords.ts'
import { checkBotRight } from '../../../decisions/bots/check-bot.ts'
import { decideNewBot, NEW_BOT_ERRORS } from '../../../decisions/bots/create-bot.ts'
import { checkFullName, FULL_NAME_ERRORS } from '../../../decisions/users/check-names.ts'
import { type BotService, SERVICE_INTERFACES } from '../../../domain/users/bots.ts'
import { BOT_TYPES } from '../../../domain/entities.ts'
import { change } from '../../change-operation.ts'
import { KEY_PROOF_ERRORS, PROOF_PARAMS, proveForKey } from '../../prove-caller.ts'
import { FULL_NAME_MEANING, fullNameType, ROLE_MEANING, roleType } from '../users/account-params.ts'
import { findManagedBot, MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'
import { decideBotUpdate, UPDATE_BOT_ERRORS } from '../../../decisions/bots/update-bot.ts'
import type { UserId } from '../../../domain/ids.ts'
import { ACCOUNT_EVENTS, DEACTIVATION_EVENTS } from '../users/accounts.ts'
import { decideBotDeactivation } from '../../../decisions/users/deactivate-user.ts'

/** An HTTP or HTTPS address; some clients quote it. */
const payloadUrlType: Type<string> = looseJson({
  isText: false,
  schema: { type: 'string', maxLength: PAYLOAD_URL_LENGTH_MAX },
  check(value, name) {
    const address = text({ lengthMax: PAYLOAD_URL_LENGTH_MAX, trim: true }).check(value, name)
    if (!isWebAddress(address)) throw fail('PARAMETER_INVALID', { message: `${name} is not a URL` })
    return address
  },
})

/** The number of an interface; an unknown number has its own error. */
const interfaceType = integer()
/** The description of the interface. */
const INTERFACE_MEANING =
  'For outgoing webhooks: the format of messages, 1 for the format of this API, 2 for that of Slack.'

const channelType = text({ lengthMax: CHANNEL_NAME_LENGTH_MAX, trim: true })

/** The default channels of a bot: clients use them, the server does not. */
const DEFAULT_CHANNEL_PARAMS = {
  default_sending_stream: optional(
    channelType,
    'The name of the channel to which it writes; empty for none.',
  ),
  default_events_register_stream: optional(
    channelType,
    'The name of the channel to which it listens; empty for none.',
  ),
  default_all_public_streams: optional(boolean(), 'Whether it listens to all public channels.'),
}

/** The default channels in a reply. */
const DEFAULT_CHANNEL_REPLY = {
  default_sending_stream: {
    schema: orNull(STRING),
    description: 'The name of the channel to which it writes; null if none is set or visible to the caller.',
  },
  default_events_register_stream: {
    schema: orNull(STRING),
    description: 'The name of the channel to which it listens; null as above.',
  },
  default_all_public_streams: {
    schema: BOOLEAN,
    description: 'Whether it listens to all public channels.',
  },
}

/** The default channels from the parameters. */
function readDefaultChannels(params: ValuesOf<typeof DEFAULT_CHANNEL_PARAMS>): DefaultChannelNames {
  return {
    sendingChannel: params.default_sending_stream,
    eventsChannel: params.default_events_register_stream,
    hearsPublicChannels: params.default_all_public_streams,
  }
}

/** The changeable parts of a setup. */
const SETUP_PARAMS = {
  service_payload_url: optional(payloadUrlType, 'For outgoing webhooks: the address that receives messages.'),
  service_interface: optional(interfaceType, INTERFACE_MEANING),
  ...DEFAULT_CHANNEL_PARAMS,
}

/** The setup from the parameters. */
function readSetupChange(
  params: ValuesOf<typeof SETUP_PARAMS & Pick<typeof CHANGE_PARAMS, 'config_data'>>,
): BotSetupChange {
  const secret = params.config_data?.webhook_secret
  return {
    webhookSecret: secret === '' ? null : secret,
    payloadUrl: params.service_payload_url,
    serviceInterface: params.service_interface,
    channels: readDefaultChannels(params),
  }
}

/** The rule for its file. */
const BOT_PICTURE_FILE = {
  description: "The bot's picture, as for `POST /users/me/avatar`; left out for none.",
  mibMax: AVATAR_MIB_MAX,
  isOptional: true,
} as const

/** How a picture can be refused, besides the errors of the decisions. */
const BOT_PICTURE_ERRORS = ['UPLOAD_COUNT', ...IMAGE_ERRORS] as const
type PictureFail = Fail<(typeof BOT_PICTURE_ERRORS | typeof AVATAR_ERRORS)[number]>

/** Makes the picture; undefined if there is none. Runs after the other checks, since it is expensive. */
async function makeBotPicture(
  services: PictureMaking,
  {
    state,
    caller,
    fail,
  }: Pick<Scope, 'state' | 'caller'> & {
    readonly fail: PictureFail
  },
  [file, ...others]: readonly Uint8Array[],
): Promise<PictureId | undefined> {
  if (others.length > 0) throw fail('UPLOAD_COUNT')
  if (!file) return undefined
  checkAvatarChanges({ state, caller, fail })
  const { id } = await makePicture(services, { kind: 'avatar', file, userId: caller.id }, fail)
  return id
}

/** `GET /bots`. */
export const getBots = operation({
  method: 'GET',
  path: '/bots',
  summary: 'Get own bots',
  description:
    'Active bots only. Keys are stored as hashes, so `api_key` is empty; a new key can be created.',
  access: 'user',
  params: {},
  reply: { bots: { schema: arrayOf(OWN_BOT), description: 'The bots, by id.' } },
  errors: [],
  events: [],
  run({ user, services: { state } }) {
    const bots = [...state.users.values()].filter((bot) => bot.botOwnerId === user.id && bot.isActive)
    return { bots: bots.map((bot) => viewOwnBot(bot, user, state)) }
  },
})

/** Embedded bots are not supported: this server runs no foreign code. */
const TYPES = [BOT_TYPES.generic, BOT_TYPES.incomingWebhook, BOT_TYPES.outgoingWebhook] as const

const SERVICE_PARAMS = {
  payload_url: optional(payloadUrlType, 'For outgoing webhooks: the address that receives messages.'),
  interface_type: defaulted(interfaceType, SERVICE_INTERFACES.generic, INTERFACE_MEANING),
}

/** `POST /bots`. */
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

const CHANGE_PARAMS = {
  full_name: optional(fullNameType, FULL_NAME_MEANING),
  role: optional(roleType, `For administrators. ${ROLE_MEANING}`),
  bot_owner_id: optional(id<UserId>(), 'The new owner of the bot.'),
  config_data: optional(
    object({
      webhook_secret: optional(
        nullable(text({ lengthMax: WEBHOOK_SECRET_LENGTH_MAX, trim: true })),
        'The secret by which senders of webhooks to this bot prove themselves; null or empty for none.',
      ),
    }),
    'The configuration of the bot.',
  ),
  ...SETUP_PARAMS,
}

/** `PATCH /bots/{bot_id}`: changes a bot's name, picture, setup, role or owner. */
export const updateBot = change({
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Update a bot',
  description:
    'For the owner of the bot, and for administrators. All of the changes apply, or none. The role of a bot is ' +
    'never higher than that of its owner: a new owner with a lower role lowers it. A multipart body may have a ' +
    'picture; if avatar changes are disabled, only administrators change it.',
  access: 'user',
  file: BOT_PICTURE_FILE,
  params: { bot_id: required(id<UserId>(), 'The id of the bot.'), ...CHANGE_PARAMS },
  reply: {
    full_name: { schema: STRING, description: 'The name.' },
    avatar_url: { schema: STRING, description: 'The address of the avatar.' },
    service_interface: {
      schema: orNull(INTEGER),
      description: "The form of an outgoing webhook's messages; null for other bots.",
    },
    service_payload_url: {
      schema: orNull(STRING),
      description: 'The address that receives them; null for other bots.',
    },
    ...DEFAULT_CHANNEL_REPLY,
    bot_owner: { schema: STRING, description: 'The email address of the new owner.', isOptional: true },
  },
  errors: [...FULL_NAME_ERRORS, 'BOT_CONFIG_REFUSED', ...UPDATE_BOT_ERRORS, ...BOT_PICTURE_ERRORS],
  events: [...ACCOUNT_EVENTS, 'bot_setup_changed'],
  async prepare({ user, params, files, services, fail }) {
    const { bot_id: botId, full_name: fullName, bot_owner_id: ownerId, role } = params
    if (fullName !== undefined) checkFullName({ fail }, fullName)
    if (params.config_data && params.config_data.webhook_secret === undefined)
      throw fail('BOT_CONFIG_REFUSED')
    const scope = { state: services.state, caller: services.state.getUser(user.id), fail }
    if (files.length > 0) findManagedBot(scope, { botId })
    const pictureId = await makeBotPicture(services, scope, files)
    return { botId, fullName, setup: readSetupChange(params), role, ownerId, pictureId }
  },
  decide: decideBotUpdate,
  answer(_, { user, services: { state } }, { botId, ownerId }) {
    const owner = ownerId === undefined ? {} : { bot_owner: state.apiEmailOf(state.getUser(ownerId)) }
    return { ...viewChangedBot(state.getUser(botId), state.getUser(user.id), state), ...owner }
  },
})

/** `DELETE /bots/{bot_id}`: deactivates a bot. */
export const deleteBot = change({
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Deactivate a bot',
  description: 'For the owner of the bot, and for administrators. The bot can be reactivated.',
  access: 'user',
  params: { bot_id: required(id<UserId>(), 'The id of the bot.') },
  reply: {},
  errors: MANAGED_BOT_ERRORS,
  events: DEACTIVATION_EVENTS,
  prepare: ({ params }) => ({ botId: params.bot_id }),
  decide: decideBotDeactivation,
})

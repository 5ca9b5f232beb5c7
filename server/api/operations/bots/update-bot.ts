/** `PATCH /bots/{bot_id}`: changes a bot's name, picture, setup, role or owner. */

import { findManagedBot } from '../../../decisions/bots/find-managed-bot.ts'
import { decideBotUpdate, UPDATE_BOT_ERRORS } from '../../../decisions/bots/update-bot.ts'
import { checkFullName, FULL_NAME_ERRORS } from '../../../decisions/users/check-full-name.ts'
import type { UserId } from '../../../domain/ids.ts'
import { INTEGER, orNull, STRING } from '../../../domain/json-schema.ts'
import { viewChangedBot } from '../../../views/bot-view.ts'
import { change } from '../../change-operation.ts'
import { id, object, optional, required } from '../../params.ts'
import { FULL_NAME_MEANING, fullNameType, ROLE_MEANING, roleType } from '../users/account-params.ts'
import { ACCOUNT_EVENTS } from '../users/accounts.ts'
import { BOT_PICTURE_ERRORS, BOT_PICTURE_FILE, makeBotPicture } from './bot-picture.ts'
import { DEFAULT_CHANNEL_REPLY, readSetupChange, SETUP_PARAMS } from './bot-params.ts'

const CHANGE_PARAMS = {
  full_name: optional(fullNameType, FULL_NAME_MEANING),
  role: optional(roleType, `For administrators. ${ROLE_MEANING}`),
  bot_owner_id: optional(id<UserId>(), 'The new owner of the bot.'),
  config_data: optional(object({}), 'For embedded bots, which this server does not support.'),
  ...SETUP_PARAMS,
}

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
    if (params.config_data !== undefined) throw fail('BOT_CONFIG_REFUSED')
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

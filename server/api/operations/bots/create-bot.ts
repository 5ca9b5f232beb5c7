/** `POST /bots`. */

import { nowSeconds } from '../../../domain/clock.ts'
import { isEmailAddress } from '../../../domain/email-addresses.ts'
import { BOT_TYPES, ROLES } from '../../../domain/entities.ts'
import { BOTS_PER_USER_MAX, EMAIL_LENGTH_MAX } from '../../../domain/limits.ts'
import { createUser } from '../../changes/change-users.ts'
import { checkFullName, FULL_NAME_ERRORS, FULL_NAME_MEANING, fullNameType } from '../../full-name-param.ts'
import { operation } from '../../operation.ts'
import { defaulted, integer, required, text } from '../../params.ts'
import { createApiKey } from '../../passwords.ts'
import { INTEGER, STRING } from '../../reply-schemas.ts'

export const createBot = operation({
  method: 'POST',
  path: '/bots',
  summary: 'Create a bot',
  description: 'For people, where they may create bots. Its email address is made from the short name.',
  access: 'user',
  params: {
    full_name: required(fullNameType, FULL_NAME_MEANING),
    short_name: required(
      text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
      'The email address up to `-bot` and the host.',
    ),
    bot_type: defaulted(integer(), BOT_TYPES.generic, 'Always 1: a bot for everything.'),
  },
  reply: {
    user_id: { schema: INTEGER, description: "The new bot's id." },
    api_key: { schema: STRING, description: 'Its API key, which the server cannot tell again.' },
  },
  errors: [
    'BOT_REFUSED',
    'PERMISSION_MISSING',
    'BOT_TYPE_UNKNOWN',
    ...FULL_NAME_ERRORS,
    'BOT_ADDRESS_INVALID',
    'BOT_ADDRESS_TAKEN',
    'BOT_NAME_TAKEN',
    'TOO_MANY_BOTS',
  ],
  events: ['realm_user/add', 'realm_bot/add', 'user_group/add_members', 'api_keys_changed'],
  run({ user, params, services: { committer, clock }, fail }) {
    const { full_name: fullName, short_name: shortName } = params
    if (user.botType !== null) throw fail('BOT_REFUSED')
    if (params.bot_type !== BOT_TYPES.generic) throw fail('BOT_TYPE_UNKNOWN')
    checkFullName(fullName, fail)
    const apiKey = createApiKey()
    const joinedAt = nowSeconds(clock)
    return committer.submit({
      kind: 'structure',
      decide(state) {
        const owner = state.getUser(user.id)
        if (owner.role === ROLES.guest || !state.rights.holds(owner, state.permissions.canCreateBots))
          throw fail('PERMISSION_MISSING')
        const email = `${shortName}-bot@${state.emailHost}`
        if (!isEmailAddress(email)) throw fail('BOT_ADDRESS_INVALID')
        if (state.findUserByEmail(email)) throw fail('BOT_ADDRESS_TAKEN')
        const bots = state.bots.toArray().map((id) => state.getUser(id))
        if (bots.some((bot) => bot.isActive && bot.fullName === fullName)) throw fail('BOT_NAME_TAKEN')
        if (bots.filter(({ botOwnerId }) => botOwnerId === owner.id).length >= BOTS_PER_USER_MAX)
          throw fail('TOO_MANY_BOTS', { countMax: BOTS_PER_USER_MAX })
        const bot = {
          email,
          fullName,
          role: ROLES.member,
          isActive: true,
          botType: BOT_TYPES.generic,
          botOwnerId: owner.id,
          timezone: '',
          joinedAt,
          avatarVersion: 1,
        }
        const decision = createUser(bot, apiKey).decide(state)
        return {
          events: decision.events,
          reply: (firstId) => ({ user_id: decision.reply(firstId).id, api_key: apiKey }),
        }
      },
    })
  },
})

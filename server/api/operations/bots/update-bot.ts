/** `PATCH /bots/{bot_id}`: another name, setup, role or owner. */

import type { User } from '../../../domain/entities.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { NewEvent } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { viewChangedBot } from '../../../views/bot-view.ts'
import { DEFAULT_CHANNEL_REPLY } from './bot-params.ts'
import { changeBotSetup, SETUP_ERRORS, SETUP_PARAMS } from '../../changes/change-bot-setup.ts'
import { checkRoleOfBot, roleWithin } from '../../../decisions/bots/bot-roles.ts'
import { changeRole } from '../../../decisions/users/change-roles.ts'
import { ACCOUNT_EVENTS } from '../users/update-user.ts'
import { tellOfAccount } from '../../../decisions/users/change-settings.ts'
import { tellBotChange } from '../../../decisions/bots/tell-bots.ts'
import { checkBotCount, isBotNameTaken } from '../../../decisions/bots/check-bot.ts'
import { checkRoleRight } from '../../../decisions/users/check-role.ts'
import { ROLE_MEANING, roleType } from '../users/role-param.ts'
import { checkUniqueName } from '../../../decisions/users/check-unique-name.ts'
import type { ErrorName, Fail } from '../../../errors/api-error.ts'
import { findManagedBot, MANAGED_BOT_ERRORS } from '../../../decisions/bots/find-managed-bot.ts'
import { checkFullName, FULL_NAME_ERRORS, FULL_NAME_MEANING, fullNameType } from '../users/full-name-param.ts'
import { operation } from '../../operation.ts'
import { id, object, optional, required } from '../../params.ts'
import { INTEGER, orNull, STRING } from '../../../domain/json-schema.ts'

const CHANGE_PARAMS = {
  full_name: optional(fullNameType, FULL_NAME_MEANING),
  role: optional(roleType, `For administrators. ${ROLE_MEANING}`),
  bot_owner_id: optional(id<UserId>(), 'The person to whom it belongs from now on.'),
  config_data: optional(object({}), 'For embedded bots, of which there are none here.'),
  ...SETUP_PARAMS,
}

const OWNER_ERRORS = [
  'BOT_OWNER_UNKNOWN',
  'BOT_OWNER_INACTIVE',
  'BOT_OWNED_BY_BOT',
  'TOO_MANY_BOTS',
] as const satisfies readonly ErrorName[]

export const updateBot = operation({
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Update a bot',
  description:
    "For the bot's owner, and for administrators. All of it happens, or nothing. A bot never has a higher role than " +
    'its owner: one that goes to an owner with a lower role gets that.',
  access: 'user',
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
      description: 'Where they go; null for other bots.',
    },
    ...DEFAULT_CHANNEL_REPLY,
    bot_owner: { schema: STRING, description: 'The new owner, by email address.', isOptional: true },
  },
  errors: [
    ...MANAGED_BOT_ERRORS,
    ...FULL_NAME_ERRORS,
    'FULL_NAME_TAKEN',
    'BOT_NAME_TAKEN',
    'BOT_CONFIG_REFUSED',
    ...SETUP_ERRORS,
    ...OWNER_ERRORS,
    'BOT_ROLE_TOO_HIGH',
  ],
  events: [...ACCOUNT_EVENTS, 'bot_setup_changed'],
  async run({ user, params, services: { committer, clock, state: present }, fail }) {
    const { bot_id: botId, full_name: fullName, bot_owner_id: ownerId, role } = params
    if (fullName !== undefined) checkFullName(fullName, fail)
    if (params.config_data !== undefined) throw fail('BOT_CONFIG_REFUSED')
    const now = nowSeconds(clock)
    await committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const bot = findManagedBot(botId, caller, state, fail)
        const events: NewEvent[] = []
        if (fullName !== undefined && fullName !== bot.fullName) {
          if (isBotNameTaken(fullName, bot.id, state)) throw fail('BOT_NAME_TAKEN')
          checkUniqueName(fullName, bot.id, state, fail)
          events.push(...tellOfAccount(state, bot, { fullName }))
        }
        events.push(...changeBotSetup(params, bot, caller, state, fail))
        if (role !== undefined && role !== bot.role) {
          checkRoleRight(caller, bot, role, fail)
        }
        const isGiven = ownerId !== undefined && ownerId !== bot.botOwnerId
        if (isGiven) checkOwner(ownerId, caller, state, fail)
        const belonging = isGiven ? { ...bot, botOwnerId: ownerId } : bot
        if (role !== undefined) checkRoleOfBot(belonging, role, state, fail)
        const owner = belonging.botOwnerId === null ? undefined : state.users.get(belonging.botOwnerId)
        const wanted = owner ? roleWithin(role ?? bot.role, owner) : (role ?? bot.role)
        if (wanted !== bot.role) events.push(...changeRole(state, bot, wanted, now))
        // The last: whom it goes to is told of the bot as it is then.
        if (isGiven) {
          events.push(
            {
              event: { type: 'realm_user/update', userId: bot.id, changes: { botOwnerId: ownerId } },
              audience: { kind: 'users', users: state.rights.activeUsers },
            },
            ...tellBotChange(state, bot, { botOwnerId: ownerId }),
          )
        }
        return { events, reply: () => undefined }
      },
    })
    const owner = ownerId === undefined ? {} : { bot_owner: present.apiEmailOf(present.getUser(ownerId)) }
    const caller = present.getUser(user.id)
    return { ...viewChangedBot(present.getUser(botId), caller, present), ...owner }
  },
})

function checkOwner(
  id: UserId,
  caller: User,
  state: OrganizationState,
  fail: Fail<(typeof OWNER_ERRORS)[number]>,
): void {
  const owner = state.findKnownUser(caller, id)
  if (!owner || owner.isSystem) throw fail('BOT_OWNER_UNKNOWN')
  if (!owner.isActive) throw fail('BOT_OWNER_INACTIVE')
  if (owner.botType !== null) throw fail('BOT_OWNED_BY_BOT')
  checkBotCount(id, state, fail)
}

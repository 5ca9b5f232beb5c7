/** `PATCH /bots/{bot_id}`: another name, or another owner. */

import type { NewEvent } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { viewChangedBot } from '../../../views/bot-view.ts'
import { tellOfAccount } from '../../changes/change-settings.ts'
import { tellBotChange } from '../../changes/tell-bots.ts'
import type { Fail } from '../../errors.ts'
import { findManagedBot } from '../../find-bot.ts'
import { checkFullName, FULL_NAME_ERRORS, FULL_NAME_MEANING, fullNameType } from '../../full-name-param.ts'
import { operation } from '../../operation.ts'
import { id, optional, required } from '../../params.ts'
import { BOOLEAN, orNull, STRING } from '../../reply-schemas.ts'

export const updateBot = operation({
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Update a bot',
  description: "For the bot's owner, and for administrators. All of it happens, or nothing.",
  access: 'user',
  params: {
    bot_id: required(id<UserId>(), 'The id of the bot.'),
    full_name: optional(fullNameType, FULL_NAME_MEANING),
    bot_owner_id: optional(id<UserId>(), 'The person to whom it belongs from now on.'),
  },
  reply: {
    full_name: { schema: STRING, description: 'The name.' },
    avatar_url: { schema: STRING, description: 'The address of the avatar.' },
    default_sending_stream: { schema: orNull(STRING), description: 'Always null.' },
    default_events_register_stream: { schema: orNull(STRING), description: 'Always null.' },
    default_all_public_streams: { schema: BOOLEAN, description: 'Always false.' },
    bot_owner: { schema: STRING, description: 'The new owner, by email address.', isOptional: true },
  },
  errors: [
    'BOT_UNKNOWN',
    'PERMISSION_MISSING',
    ...FULL_NAME_ERRORS,
    'BOT_OWNER_UNKNOWN',
    'BOT_OWNER_INACTIVE',
    'BOT_OWNED_BY_BOT',
  ],
  events: ['realm_user/update', 'realm_bot/update', 'realm_bot/add', 'realm_bot/delete'],
  async run({ user, params, services: { committer, state: present }, fail }) {
    const { bot_id: botId, full_name: fullName, bot_owner_id: ownerId } = params
    if (fullName !== undefined) checkFullName(fullName, fail)
    await committer.submit({
      kind: 'structure',
      decide(state) {
        const bot = findManagedBot(botId, state.getUser(user.id), state, fail)
        const events: NewEvent[] = []
        if (fullName !== undefined && fullName !== bot.fullName)
          events.push(...tellOfAccount(state, bot, { fullName }))
        if (ownerId !== undefined && ownerId !== bot.botOwnerId) {
          checkOwner(ownerId, state, fail)
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
    return { ...viewChangedBot(present.getUser(botId), present), ...owner }
  },
})

function checkOwner(
  id: UserId,
  { users }: OrganizationState,
  fail: Fail<'BOT_OWNER_UNKNOWN' | 'BOT_OWNER_INACTIVE' | 'BOT_OWNED_BY_BOT'>,
): void {
  const owner = users.get(id)
  if (!owner || owner.isSystem) throw fail('BOT_OWNER_UNKNOWN')
  if (!owner.isActive) throw fail('BOT_OWNER_INACTIVE')
  if (owner.botType !== null) throw fail('BOT_OWNED_BY_BOT')
}

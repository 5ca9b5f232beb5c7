/** Making a bot. */

import { type BotService, PLAIN_BOT_SETUP } from '../../domain/users/bots.ts'
import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import { type BotType, ROLES } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { PictureId } from '../../domain/files/pictures.ts'
import type { Decision } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { AVATAR_ERRORS, checkAvatarChanges } from '../users/change-avatar.ts'
import { checkUniqueName } from '../users/check-names.ts'
import { decideNewUser } from '../users/create-user.ts'
import { checkBotCount, checkBotRight, isBotNameTaken } from './check-bot.ts'
import { type DefaultChannelNames, findDefaultChannels } from './default-channels.ts'

/** A bot, as the request has it. */
export interface NewBotRequest {
  /** A name that anybody may have; see `checkFullName`. */
  readonly fullName: string
  /** The email address up to `-bot` and the host. */
  readonly shortName: string
  readonly botType: BotType
  /** Of outgoing webhooks. */
  readonly service: BotService | null
  readonly channels: DefaultChannelNames
  /** Undefined for a drawn one. */
  readonly pictureId: PictureId | undefined
  /** The stored form of its API key; see `hashApiKey`. */
  readonly keyHash: string
}

/** How making a bot can fail. */
export const NEW_BOT_ERRORS = [
  'PERMISSION_MISSING',
  'CHANNEL_NAME_UNKNOWN',
  'FULL_NAME_TAKEN',
  'BOT_ADDRESS_INVALID',
  'BOT_ADDRESS_TAKEN',
  'BOT_NAME_TAKEN',
  'TOO_MANY_BOTS',
  ...AVATAR_ERRORS,
] as const

/** Makes a bot of the caller's; answers its id. */
export function decideNewBot(
  scope: Scope<(typeof NEW_BOT_ERRORS)[number]>,
  { fullName, shortName, botType, service, channels, pictureId, keyHash }: NewBotRequest,
): Decision<UserId> {
  const { state, caller, now, fail } = scope
  checkBotRight(scope, botType)
  if (pictureId !== undefined) checkAvatarChanges(scope)
  const email = `${shortName}-bot@${state.emailHost}`
  if (!isEmailAddress(email)) throw fail('BOT_ADDRESS_INVALID')
  if (state.findUserByEmail(email)) throw fail('BOT_ADDRESS_TAKEN')
  if (isBotNameTaken(scope, fullName)) throw fail('BOT_NAME_TAKEN')
  checkUniqueName(scope, fullName)
  checkBotCount(scope, caller.id)
  const defaultChannels = findDefaultChannels(scope, channels)
  const isPlain = service === null && Object.keys(defaultChannels).length === 0
  const made = decideNewUser(scope, {
    user: {
      email,
      fullName,
      role: ROLES.member, // Guests make none.
      isActive: true,
      botType,
      botOwnerId: caller.id,
      timezone: '',
      joinedAt: now,
      avatarVersion: 1,
    },
    keyHash,
    pictureId,
    setup: isPlain ? undefined : { ...PLAIN_BOT_SETUP, service, ...defaultChannels },
  })
  return { events: made.events, reply: (firstId) => made.reply(firstId).id }
}

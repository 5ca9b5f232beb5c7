/** Changing a bot's name, picture, setup, role and owner. */

import type { Role, User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import type { PictureId } from '../../domain/files/pictures.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { AVATAR_ERRORS, checkAvatarChanges } from '../users/change-avatar.ts'
import { changeRole, checkRoleRight } from '../users/change-roles.ts'
import { checkUniqueName } from '../users/check-names.ts'
import { checkRoleOfBot, roleWithin } from './bot-roles.ts'
import { type BotSetupChange, changeBotSetup, SETUP_ERRORS } from './change-bot-setup.ts'
import { checkBotCount, isBotNameTaken } from './check-bot.ts'
import { findManagedBot, MANAGED_BOT_ERRORS, type ManagedBotRequest } from './find-managed-bot.ts'

/** Changes of a bot; undefined stays. */
export interface UpdateBotRequest extends ManagedBotRequest {
  /** A name that anybody may have; see `checkFullName`. */
  readonly fullName: string | undefined
  readonly setup: BotSetupChange
  readonly role: Role | undefined
  readonly ownerId: UserId | undefined
  readonly pictureId: PictureId | undefined
}

const OWNER_ERRORS = ['BOT_OWNER_UNKNOWN', 'BOT_OWNER_INACTIVE', 'BOT_OWNED_BY_BOT', 'TOO_MANY_BOTS'] as const

/** How changing a bot can fail. */
export const UPDATE_BOT_ERRORS = [
  ...MANAGED_BOT_ERRORS,
  'FULL_NAME_TAKEN',
  'BOT_NAME_TAKEN',
  ...SETUP_ERRORS,
  ...OWNER_ERRORS,
  'BOT_ROLE_TOO_HIGH',
  ...AVATAR_ERRORS,
] as const
type UpdateScope = Scope<(typeof UPDATE_BOT_ERRORS)[number]>

/** Changes a bot, or fails without any change. */
export function decideBotUpdate(
  scope: UpdateScope,
  { botId, fullName, setup, role, ownerId, pictureId }: UpdateBotRequest,
): Decision<void> {
  const bot = findManagedBot(scope, { botId })
  const named = fullName === undefined ? [] : changeName(scope, bot, fullName)
  const setUp = changeBotSetup(scope, bot, setup)
  if (role !== undefined && role !== bot.role) checkRoleRight(scope, bot, role)
  const newOwnerId = ownerId === bot.botOwnerId ? undefined : ownerId
  if (newOwnerId !== undefined) checkNewOwner(scope, newOwnerId)
  const owned = newOwnerId === undefined ? bot : { ...bot, botOwnerId: newOwnerId }
  const newRole = findNewRole(scope, owned, role)
  return done([
    ...named,
    ...setUp,
    ...(pictureId === undefined ? [] : changePicture(scope, bot, pictureId)),
    ...(newRole === bot.role ? [] : changeRole(scope, bot, newRole)),
    // Last, so that the new owner gets the bot with all other changes.
    ...(newOwnerId === undefined ? [] : [changeOwner(bot, newOwnerId)]),
  ])
}

function changeName(scope: UpdateScope, bot: User, fullName: string): Fact[] {
  if (fullName === bot.fullName) return []
  if (isBotNameTaken(scope, fullName, bot.id)) throw scope.fail('BOT_NAME_TAKEN')
  checkUniqueName(scope, fullName, bot.id)
  return [{ type: 'realm_user/update', userId: bot.id, changes: { fullName } }]
}

function changePicture(
  scope: UpdateScope,
  { id: userId, avatarVersion }: User,
  pictureId: PictureId,
): Fact[] {
  checkAvatarChanges(scope)
  return [{ type: 'realm_user/avatar', userId, avatar: { pictureId, version: avatarVersion + 1 } }]
}

/** The role of the request, or the present role; the owner's role if that is lower. */
function findNewRole(scope: UpdateScope, bot: User, role: Role | undefined): Role {
  if (role !== undefined) checkRoleOfBot(scope, bot, role)
  const owner = bot.botOwnerId === null ? undefined : scope.state.users.get(bot.botOwnerId)
  return owner ? roleWithin(role ?? bot.role, owner) : (role ?? bot.role)
}

function checkNewOwner(scope: UpdateScope, id: UserId): void {
  const { state, caller, fail } = scope
  const owner = state.findVisibleUser(caller, id)
  if (!owner || owner.isSystem) throw fail('BOT_OWNER_UNKNOWN')
  if (!owner.isActive) throw fail('BOT_OWNER_INACTIVE')
  if (owner.botType !== null) throw fail('BOT_OWNED_BY_BOT')
  checkBotCount(scope, id)
}

function changeOwner({ id: userId }: User, botOwnerId: UserId): Fact {
  return { type: 'realm_user/update', userId, changes: { botOwnerId } }
}

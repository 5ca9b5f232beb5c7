/** Changes of the caller's settings, name and email address. */

import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { User } from '../../domain/entities.ts'
import { isEmailAddress, readStandInAddress } from '../../domain/users/email-addresses.ts'
import type { Fact } from '../../domain/events.ts'
import type { NewPassword } from '../../domain/events/credentials.ts'
import type { UserSettingChange } from '../../domain/users/user-settings.ts'
import type { Scope, ServerScope } from '../scope.ts'
import type { DeviceId } from '../../domain/ids.ts'
import type { LoginSession } from '../../domain/accounts/login-sessions.ts'
import { Secret } from '../../domain/secret.ts'
import { type Decision, done } from '../decision.ts'
import { endApiKeys, removeDevices } from './change-api-keys.ts'
import { endOtherSessions } from './change-login-sessions.ts'
import { checkEmailDomain, EMAIL_DOMAIN_ERRORS } from './check-email-domain.ts'
import { checkUniqueName } from './check-names.ts'

/** Changes settings; a setting that stays the same sends no event. */
export function changeSettings(
  { state }: Pick<ServerScope, 'state'>,
  { id: userId, timezone }: User,
  changes: readonly UserSettingChange[],
): Fact[] {
  const present = { ...state.settingsOf(userId), timezone }
  return changes
    .filter(({ name, value }) => present[name] !== value)
    .flatMap((change): Fact[] => {
      const fact = { type: 'user_settings/update', userId, change } as const
      if (change.name !== 'timezone') return [fact]
      // The account has it.
      return [fact, { type: 'realm_user/update', userId, changes: { timezone: change.value } }]
    })
}

/** Changes of the caller's account; undefined keeps the present value. */
export interface UpdateSettingsRequest {
  /** A name that anybody may have; see `checkFullName`. */
  readonly fullName: string | undefined
  readonly email: string | undefined
  readonly settings: readonly UserSettingChange[]
  readonly password: OwnPasswordChange | undefined
}

/** A new password of the caller. */
export interface OwnPasswordChange {
  readonly secrets: Secret<Extract<NewPassword, { kind: 'changed' }>>
  /** The session of the request, which goes on with another token. */
  readonly renewed: Pick<LoginSession, 'id' | 'tokenHash'> | undefined
  /** The API keys that end; undefined if they stay. */
  readonly endedKeys: EndedKeys | undefined
}

/** All API keys but that of the request, and all devices, which may have one. */
interface EndedKeys {
  readonly exceptHash: string
  readonly deviceIds: readonly DeviceId[]
}

/** How changing the email address can fail. */
export const NEW_EMAIL_ERRORS = [
  'EMAIL_CHANGES_DISABLED',
  'EMAIL_INVALID',
  'EMAIL_TAKEN',
  ...EMAIL_DOMAIN_ERRORS,
] as const

/** How changing one's own settings can fail. */
export const UPDATE_SETTINGS_ERRORS = [
  'FULL_NAME_TAKEN',
  'NAME_CHANGES_DISABLED',
  ...NEW_EMAIL_ERRORS,
] as const
type SettingsScope = Scope<(typeof UPDATE_SETTINGS_ERRORS)[number]>

/**
 * Changes the caller's settings, name and password, and asks for a new address, or fails without any change. The password
 * comes before the address, since it voids links for an earlier one.
 */
export function decideSettings(
  scope: SettingsScope,
  { fullName, email, settings, password }: UpdateSettingsRequest,
): Decision<void> {
  return done([
    ...changeSettings(scope, scope.caller, settings),
    ...(fullName === undefined ? [] : changeOwnName(scope, fullName)),
    ...(password === undefined ? [] : changeOwnPassword(scope, password)),
    ...(email === undefined ? [] : changeOwnEmail(scope, email)),
  ])
}

function changeOwnName(scope: SettingsScope, fullName: string): Fact[] {
  const { state, caller, fail } = scope
  if (fullName === caller.fullName) return []
  if (state.settings.nameChangesDisabled && !isAdministrator(caller)) throw fail('NAME_CHANGES_DISABLED')
  checkUniqueName(scope, fullName, caller.id)
  return [{ type: 'realm_user/update', userId: caller.id, changes: { fullName } }]
}

function changeOwnPassword(scope: SettingsScope, { secrets, renewed, endedKeys }: OwnPasswordChange): Fact[] {
  const { id: userId } = scope.caller
  const facts: Fact[] = [
    { type: 'password_set', userId, secrets },
    ...endOtherSessions(scope, userId, renewed),
  ]
  if (!endedKeys) return facts
  const { exceptHash, deviceIds } = endedKeys
  return [...facts, ...endApiKeys(scope, { userId, exceptHash }), ...removeDevices(userId, deviceIds)]
}

function changeOwnEmail(scope: SettingsScope, email: string): Fact[] {
  const { caller } = scope
  if (email === caller.email) return []
  checkWantedEmail(scope, email)
  return [{ type: 'own_address', userId: caller.id, step: new Secret({ kind: 'asked', email }) }]
}

/** An address that a user confirmed by the token of a mail. */
export interface ConfirmedAddressRequest {
  readonly email: string
  readonly tokenHash: string
}

/** Gives the caller the address that they confirmed. */
export function decideConfirmedAddress(
  scope: Scope<(typeof NEW_EMAIL_ERRORS)[number]>,
  { email, tokenHash }: ConfirmedAddressRequest,
): Decision<void> {
  const { id: userId, email: former } = scope.caller
  checkNewEmail(scope, email, scope.state.findUserByEmail(email))
  const step = new Secret({ kind: 'confirmed', tokenHash, former, email } as const)
  return done([
    { type: 'own_address', userId, step },
    { type: 'realm_user/update', userId, changes: { email } },
  ])
}

type EmailScope = Pick<Scope<(typeof NEW_EMAIL_ERRORS)[number]>, 'state' | 'caller' | 'fail'>

/**
 * Throws if the caller may not ask for an address. An account whose address the caller may not see looks like none: no
 * mail is sent then, so only the holder of the mailbox could learn of it.
 */
export function checkWantedEmail(scope: EmailScope, email: string): void {
  checkNewEmail(scope, email, scope.state.findUserByApiEmail(email, scope.caller))
}

/** Throws if the caller may not have an address, which may have a holder, or may not change theirs. */
function checkNewEmail({ state, caller, fail }: EmailScope, email: string, holder: User | undefined): void {
  if (state.settings.emailChangesDisabled && !isAdministrator(caller)) throw fail('EMAIL_CHANGES_DISABLED')
  if (!isEmailAddress(email)) throw fail('EMAIL_INVALID')
  checkEmailDomain({ state, fail }, email)
  // The stand-in for a user's hidden address cannot be anybody's own address.
  const isStandIn = readStandInAddress(email, state.emailHost) !== undefined
  if (isStandIn || (holder && holder.id !== caller.id)) throw fail('EMAIL_TAKEN', { email })
}

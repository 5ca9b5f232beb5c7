/** The first set-up: a link that works once, and the organization that is made by it. */

import type { Sql } from '../../../db/connection/connect.ts'
import { isSetupToken, storeSetupLink } from '../../../db/accounts/setup-links.ts'
import { checkChannelName, CHANNEL_NAME_ERRORS } from '../../decisions/channels/find-channel.ts'
import { SUBSCRIBE_ERRORS } from '../../decisions/channels/subscribe-users.ts'
import { decideNewInvitation } from '../../decisions/invitations/change-invitations.ts'
import { decideSetup } from '../../decisions/organization/set-up-organization.ts'
import { type User, ROLES } from '../../domain/entities.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import { SETUP_CHANNELS_MAX } from '../../domain/limits.ts'
import { Secret } from '../../domain/secret.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import { type ErrorName, fail } from '../../errors/api-error.ts'
import { invitationUrl } from '../invitations/join-by-invitation.ts'
import { createApiKey, hashApiKey, isApiKey, type Passwords } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import { submit, submitForServer } from '../submit.ts'
import { NEW_ACCOUNT_ERRORS, prepareAccount } from '../users/prepare-account.ts'

/** The errors that people can correct in the form. */
export const SETUP_ERRORS: readonly ErrorName[] = [
  ...NEW_ACCOUNT_ERRORS,
  ...CHANNEL_NAME_ERRORS,
  ...SUBSCRIBE_ERRORS,
  'PARAMETER_INVALID',
  'PARAMETER_MISSING',
]

/** A link that makes the organization. */
export interface SetupLink {
  readonly url: string
  /** UNIX seconds. */
  readonly expiresAt: number
}

/** Makes a link; the ones before are not valid any more. */
export async function createSetupLink(sql: Sql, publicUrl: string): Promise<SetupLink> {
  const token = createApiKey()
  const expiresAt = await storeSetupLink(sql, hashApiKey(token))
  return { url: `${publicUrl}/setup/${token}/`, expiresAt }
}

/** Whether a token may still make the organization. */
export async function isSetupOpen(
  { sql, state }: Pick<Sending, 'sql' | 'state'>,
  token: string,
): Promise<boolean> {
  return !state.organization && isApiKey(token) && (await isSetupToken(sql, hashApiKey(token)))
}

/** Makes a link with which anyone becomes a member, in the name of a user. */
export async function createFirstInvitation(
  services: Sending & { readonly invitationMinutes: number },
  { id }: User,
): Promise<string> {
  const key = new Secret(createApiKey())
  await submit(services, id, decideNewInvitation, {
    role: ROLES.member,
    channelIds: [],
    groupIds: [],
    hasDefaultChannels: true,
    welcomeText: null,
    lifetimeMinutes: services.invitationMinutes,
    key,
  })
  return invitationUrl(services.publicUrl, key.reveal())
}

/** An organization as people enter it. */
export interface GivenOrganization {
  readonly name: string
  readonly fullName: string
  readonly email: string
  readonly password: string
  /** Names of channels; blank and repeated ones do not count. */
  readonly channelNames: readonly string[]
  /** Whether people who open an invitation link make their account without a mail that confirms the address. */
  readonly joinsWithoutConfirmation?: boolean
  /** The language of new users, and of notices; English by default. */
  readonly language?: string
}

/** The names of channels, each once. */
export function firstChannelNames(given: readonly string[]): readonly string[] {
  const named = new Map<string, string>()
  for (const one of given.map((name) => name.trim()))
    if (one !== '' && !named.has(foldCase(one))) named.set(foldCase(one), one)
  return [...named.values()]
}

/** Makes the organization; undefined if there is one meanwhile. Throws one of `SETUP_ERRORS`. */
export async function setUpOrganization(
  services: Sending & { readonly passwords: Passwords },
  {
    name,
    fullName,
    email,
    password,
    channelNames,
    joinsWithoutConfirmation = false,
    language = 'en',
  }: GivenOrganization,
): Promise<User | undefined> {
  const names = firstChannelNames(channelNames)
  const channels = names.map((channelName) => {
    checkChannelName({ fail }, channelName)
    return { name: channelName, description: '', renderedDescription: '', color: undefined }
  })
  if (channels.length > SETUP_CHANNELS_MAX)
    throw fail('PARAMETER_INVALID', {
      message: `More than ${SETUP_CHANNELS_MAX} channels: make the others later.`,
    })
  const given = { email, fullName, password, role: ROLES.owner, organization: name }
  const owner = await prepareAccount(services, given, fail)
  try {
    return await submitForServer(services, (scope) =>
      decideSetup(
        { ...scope, fail },
        { name, owner, channels, joinsWithoutConfirmation, defaultLanguage: language },
      ),
    )
  } catch (error) {
    if (error instanceof ChangeRefused) return undefined
    throw error
  }
}

/** Runs one command of the admin command line. */

import { readAudit } from '../../db/log/audit-log.ts'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'
import type { LocalWriter } from '../actors/local-writer.ts'
import { firstOwner, inviteByOperator } from '../changes/invitations/invite-by-operator.ts'
import { createSetupLink } from '../changes/organization/set-up.ts'
import { newApiKey, Passwords } from '../changes/passwords.ts'
import { DirectoryError } from '../changes/sign-on/directory/directory-error.ts'
import { Directory } from '../changes/sign-on/directory/directory.ts'
import { type SyncResult, syncDirectory } from '../changes/sign-on/directory/sync-directory.ts'
import { endScim, makeScimToken } from '../changes/scim/scim-token.ts'
import { submitForServer } from '../changes/submit.ts'
import { resetFactorsByOperator } from '../changes/users/change-factors.ts'
import { endSessions } from '../changes/users/login-sessions.ts'
import { replaceApiKeys } from '../changes/users/replace-api-keys.ts'
import { setPassword } from '../changes/users/set-password.ts'
import { roleWithin } from '../decisions/bots/bot-roles.ts'
import { decideNewOrganization } from '../decisions/organization/create-organization.ts'
import { decideNewUser } from '../decisions/users/create-user.ts'
import { firstPassword } from '../decisions/users/new-account.ts'
import { decideDeactivationByOperator } from '../decisions/users/deactivate-user.ts'
import { decideRoleByOperator } from '../decisions/users/update-user.ts'
import type { DirectorySettings } from '../domain/accounts/directory-settings.ts'
import { BOT_TYPES, ROLES, type User } from '../domain/entities.ts'
import { SCIM_PATH } from '../domain/scim/attributes.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { ChangeRefused } from '../errors/change-refused.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { AUDIT_KINDS, auditPartOf, viewAuditEntry } from '../events/audit-entries.ts'
import type { AuditCommand } from './parse-audit.ts'
import {
  type Command,
  type DataCommand,
  type ImportCommand,
  type MoveCommand,
  type SyncCommand,
} from './parse-command.ts'
import { readPassword, type Terminal } from './read-password.ts'
import { rotateKeys } from './rotate-keys.ts'

/** The settings that commands use. */
interface CommandSettings {
  /** The address of the server for people. */
  readonly publicUrl: string
  /** The default lifetime of invitations. */
  readonly invitationMinutes: number
  /** The company's directory; undefined without one. */
  readonly directory: DirectorySettings | undefined
  /** Gets sentences for the operator. */
  readonly onWarning: (message: string) => void
  /** For a password. */
  readonly terminal: Terminal
}

/** Runs a command and returns its output; throws a `ChangeRefused` if it is not allowed. */
export async function runCommand(
  command: Exclude<Command, DataCommand | MoveCommand | ImportCommand | { kind: 'help' }>,
  writer: LocalWriter,
  settings: CommandSettings,
): Promise<unknown> {
  const { state } = writer
  switch (command.kind) {
    case 'organization create': {
      if ('isByLink' in command) return offerSetup(writer, settings.publicUrl)
      const { name, description } = command
      const renderedDescription = description === '' ? '' : renderMarkdown(description)
      await submitForServer(writer, (scope) =>
        decideNewOrganization(scope, { name, description, renderedDescription, createdAt: scope.now }),
      )
      return { name, description }
    }
    case 'audit list':
      return listAudit(command, writer)
    case 'ldap sync':
      return syncWithDirectory(command, writer, settings)
    case 'scim token': {
      const token = await makeScimToken(writer)
      return { base_url: `${settings.publicUrl}${SCIM_PATH}`, token }
    }
    case 'scim off':
      return { ended: await endScim(writer) }
    case 'keys rotate':
      return rotateKeys(writer, command.kinds)
    case 'user create':
      return addUser(command, writer, settings.terminal)
    case 'user invite':
      return inviteUser(command, writer, settings)
    case 'user list':
      return [...state.users.values()].map(describe)
    case 'user deactivate': {
      const { id } = getUser(command.email, state)
      await submitForServer(writer, (scope) => decideDeactivationByOperator(scope, { userId: id }))
      return describe(state.getUser(id))
    }
    case 'user rotate-key': {
      const { id, email, isActive } = getUser(command.email, state)
      if (!isActive) throw new ChangeRefused(`${email} is deactivated`)
      const apiKey = await replaceApiKeys(writer, id)
      await endSessions(writer, id, () => true)
      return { user_id: id, email, api_key: apiKey }
    }
    case 'user end-sessions': {
      const { id, email } = getUser(command.email, state)
      const ended = state.loginSessions.get(id)?.length ?? 0
      await endSessions(writer, id, () => true)
      return { user_id: id, email, ended }
    }
    case 'user reset-factors': {
      const { id, email } = getUser(command.email, state)
      const ended = state.loginSessions.get(id)?.length ?? 0
      await resetFactorsByOperator(writer, id)
      return { user_id: id, email, ended }
    }
    case 'user set-role': {
      const { id } = getUser(command.email, state)
      const role = ROLES[command.role]
      await submitForServer(writer, (scope) => decideRoleByOperator(scope, { userId: id, role }))
      return describe(state.getUser(id))
    }
    case 'user set-password': {
      const user = getUser(command.email, state)
      const { id, email, isActive, botType } = user
      if (!isActive) throw new ChangeRefused(`${email} is deactivated`)
      if (botType !== null) throw new ChangeRefused(`${email} is a bot, which has no password`)
      await setPassword(
        writer,
        id,
        await new Passwords().hash(await readPassword(state, user, settings.terminal)),
      )
      return { user_id: id, email }
    }
  }
}

/** A link by which people set up the organization; a start makes no demo then. */
async function offerSetup({ sql, state }: LocalWriter, publicUrl: string): Promise<unknown> {
  if (state.organization)
    throw new ChangeRefused(`this server already has an organization: ${state.organization.name}`)
  const { url, expiresAt } = await createSetupLink(sql, publicUrl)
  return { setup_url: url, expires_at: expiresAt }
}

/** Entries of the audit log as the API has them, with the address of each acting user. */
async function listAudit(
  { user, beforeId, kinds = AUDIT_KINDS, ...query }: AuditCommand,
  { sql, state }: LocalWriter,
): Promise<unknown> {
  const actorId = user === undefined ? undefined : getUser(user, state).id
  const asked = { ...query, kinds, actorId, beforeId: beforeId as EventId | undefined }
  const { entries } = await readAudit(sql, asked, auditPartOf)
  return entries.map((entry) => ({
    ...viewAuditEntry(entry, state.rights.activeUsers),
    acting_user: state.users.get(entry.actorId as UserId)?.email ?? null,
  }))
}

async function syncWithDirectory(
  { isDry, deactivatesMany }: SyncCommand,
  writer: LocalWriter,
  { directory: settings, onWarning }: CommandSettings,
): Promise<SyncResult> {
  if (!settings) throw new ChangeRefused('LDAP_URL is not set')
  const directory = new Directory(settings, writer.clock)
  return syncDirectory({ ...writer, onWarning }, directory, { isDry, deactivatesMany }).catch(
    (error: unknown) => {
      throw error instanceof DirectoryError ? new ChangeRefused(`the directory: ${error.message}`) : error
    },
  )
}

async function addUser(
  { email, name, role, readsPassword, botOwner }: Extract<Command, { kind: 'user create' }>,
  writer: LocalWriter,
  terminal: Terminal,
): Promise<unknown> {
  const names = { email, fullName: name }
  const hash = readsPassword
    ? await new Passwords().hash(await readPassword(writer.state, names, terminal))
    : undefined
  const { apiKey, keyHash } = newApiKey()
  const owner = botOwner === undefined ? undefined : getUser(botOwner, writer.state)
  if (owner && roleWithin(ROLES[role], owner) !== ROLES[role])
    throw new ChangeRefused('a bot cannot have a higher role than its owner')
  const user = {
    email,
    fullName: name,
    role: ROLES[role],
    isActive: true,
    botType: owner ? BOT_TYPES.generic : null,
    botOwnerId: owner?.id ?? null,
    timezone: '',
    avatarVersion: 1,
  }
  const { id } = await submitForServer(writer, (scope) => {
    const decision = decideNewUser(scope, { user: { ...user, joinedAt: scope.now }, keyHash })
    if (hash === undefined) return decision
    return { ...decision, events: [...decision.events, firstPassword(scope.state.nextUserId, hash)] }
  })
  return { user_id: id, email, api_key: apiKey }
}

async function inviteUser(
  { email, role, channels: channelNames, by }: Extract<Command, { kind: 'user invite' }>,
  writer: LocalWriter,
  { publicUrl, invitationMinutes: lifetimeMinutes }: CommandSettings,
): Promise<unknown> {
  const inviter = by === undefined ? firstOwner(writer.state) : getUser(by, writer.state)
  const invitation = { email, role: ROLES[role], channelNames, inviter, lifetimeMinutes }
  const { url, expiresAt } = await inviteByOperator(writer, publicUrl, invitation)
  return { email, role, invited_by: inviter.email, invite_link: url, expires_at: expiresAt }
}

function getUser(email: string, state: OrganizationState): User {
  const user = state.findUserByEmail(email)
  if (!user) throw new ChangeRefused(`there is no user ${email}`)
  return user
}

function describe({ id, email, fullName, role, botType, isActive }: User) {
  const [roleName] = Object.entries(ROLES).find(([, number]) => number === role) ?? []
  return {
    user_id: id,
    email,
    full_name: fullName,
    role: roleName,
    is_bot: botType !== null,
    is_active: isActive,
  }
}

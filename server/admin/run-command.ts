/** Carries out one command of the admin command line. */

import { roleWithin } from '../decisions/bots/bot-roles.ts'
import { storePasswordHash } from '../../db/users.ts'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'
import { replaceApiKeys } from '../api/push/replace-api-keys.ts'
import { ChangeRefused, createOrganization, createUser, deactivateUser } from '../api/changes/change-users.ts'
import { createApiKey, Passwords } from '../changes/passwords.ts'
import { nowSeconds, systemClock } from '../domain/clock.ts'
import { BOT_TYPES, ROLES, type User } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { LocalWriter } from '../actors/local-writer.ts'
import type { Command } from './parse-command.ts'

/** Does what a command says and answers what it prints; throws a `ChangeRefused` where it may not be. */
export async function runCommand(
  command: Exclude<Command, { kind: 'help' }>,
  writer: LocalWriter,
): Promise<unknown> {
  const { state, committer } = writer
  switch (command.kind) {
    case 'organization create': {
      const { name, description } = command
      const renderedDescription = description === '' ? '' : renderMarkdown(description)
      const createdAt = nowSeconds(systemClock)
      await committer.submit(createOrganization({ name, description, renderedDescription, createdAt }))
      return { name, description }
    }
    case 'user create':
      return addUser(command, writer)
    case 'user list':
      return [...state.users.values()].map(describe)
    case 'user deactivate': {
      const { id } = getUser(command.email, state)
      await committer.submit(deactivateUser(id))
      return describe(state.getUser(id))
    }
    case 'user rotate-key': {
      const { id, email, isActive } = getUser(command.email, state)
      if (!isActive) throw new ChangeRefused(`${email} is deactivated`)
      const apiKey = createApiKey()
      await replaceApiKeys(writer, id, apiKey)
      return { user_id: id, email, api_key: apiKey }
    }
  }
}

async function addUser(
  { email, name, role, password, botOwner }: Extract<Command, { kind: 'user create' }>,
  { sql, state, committer }: LocalWriter,
): Promise<unknown> {
  // Hashed before the user is there, so that next to no time passes between the two commits.
  const hash = password === undefined ? undefined : await new Passwords().hash(password)
  const apiKey = createApiKey()
  const owner = botOwner === undefined ? undefined : getUser(botOwner, state)
  if (owner && roleWithin(ROLES[role], owner) !== ROLES[role])
    throw new ChangeRefused('a bot cannot have a higher role than its owner')
  const newUser: Omit<User, 'id' | 'isSystem'> = {
    email,
    fullName: name,
    role: ROLES[role],
    isActive: true,
    botType: owner ? BOT_TYPES.generic : null,
    botOwnerId: owner?.id ?? null,
    timezone: '',
    joinedAt: nowSeconds(systemClock),
    avatarVersion: 1,
  }
  const { id } = await committer.submit(createUser(newUser, apiKey))
  if (hash !== undefined) await storePasswordHash(sql, id, hash)
  return { user_id: id, email, api_key: apiKey }
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

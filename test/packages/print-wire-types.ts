/** The types of the client package: every operation and every event, from the table and the schemas. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Param } from '../../server/api/params.ts'
import { operationsOf } from '../../server/api/table.ts'
import type { Operation } from '../../server/api/operation.ts'
import type { Schema } from '../../server/domain/json-schema.ts'
import { ATTACHMENT } from '../../server/views/attachment-view.ts'
import { BOT, OWN_BOT } from '../../server/views/bot-view.ts'
import { CHANNEL, NEVER_SUBSCRIBED, SUBSCRIPTION } from '../../server/views/channel-view.ts'
import { CUSTOM_EMOJI } from '../../server/views/custom-emoji-view.ts'
import { DEVICE } from '../../server/views/device-view.ts'
import { DRAFT } from '../../server/views/draft-view.ts'
import { CHANNEL_FOLDER } from '../../server/views/folder-view.ts'
import { USER_GROUP } from '../../server/views/group-view.ts'
import { HISTORY_SNAPSHOT } from '../../server/views/history-view.ts'
import { MESSAGE, SENT_MESSAGE } from '../../server/views/message-view.ts'
import { EMAIL_DOMAIN, LINKIFIER, PLAYGROUND } from '../../server/views/organization-lists-view.ts'
import { GROUP_SETTING } from '../../server/views/permission-view.ts'
import { MUTED_USER, NAVIGATION_VIEW, SNIPPET } from '../../server/views/personal-lists-view.ts'
import { PERMISSION_RULE } from '../../server/views/permission-rules-view.ts'
import { PRESENCE, PRESENCES } from '../../server/views/presence-view.ts'
import { PROFILE, PROFILE_FIELD } from '../../server/views/profile-field-view.ts'
import { REMINDER, SCHEDULED_MESSAGE } from '../../server/views/scheduled-message-view.ts'
import { NEW_USER_SETTINGS, OWN_SETTINGS } from '../../server/views/settings-view.ts'
import { USER_STATUS } from '../../server/views/status-view.ts'
import { UNREAD_MESSAGES } from '../../server/views/unread-view.ts'
import { USER_TOPIC } from '../../server/views/user-topic-view.ts'
import { USER } from '../../server/views/user-view.ts'
import { WIRE_EVENTS } from '../../server/events/wire-events.ts'
import { printFields, printType } from './print-type.ts'

/** Schemas with a named type; the others are inlined. */
const OBJECTS: Readonly<Record<string, Schema>> = {
  Attachment: ATTACHMENT,
  Bot: BOT,
  Channel: CHANNEL,
  ChannelFolder: CHANNEL_FOLDER,
  CustomEmoji: CUSTOM_EMOJI,
  Device: DEVICE,
  Draft: DRAFT,
  EmailDomain: EMAIL_DOMAIN,
  GroupSetting: GROUP_SETTING,
  HistorySnapshot: HISTORY_SNAPSHOT,
  Linkifier: LINKIFIER,
  Message: MESSAGE,
  MutedUser: MUTED_USER,
  NavigationView: NAVIGATION_VIEW,
  NeverSubscribed: NEVER_SUBSCRIBED,
  NewUserSettings: NEW_USER_SETTINGS,
  OwnBot: OWN_BOT,
  OwnSettings: OWN_SETTINGS,
  PermissionRule: PERMISSION_RULE,
  Playground: PLAYGROUND,
  Presence: PRESENCE,
  PresencesByEmail: PRESENCES,
  Profile: PROFILE,
  ProfileField: PROFILE_FIELD,
  Reminder: REMINDER,
  ScheduledMessage: SCHEDULED_MESSAGE,
  SentMessage: SENT_MESSAGE,
  Snippet: SNIPPET,
  Subscription: SUBSCRIPTION,
  UnreadMessages: UNREAD_MESSAGES,
  User: USER,
  UserGroup: USER_GROUP,
  UserStatus: USER_STATUS,
  UserTopic: USER_TOPIC,
}
const NAMED = new Map(Object.entries(OBJECTS).map(([name, schema]) => [schema, name]))

/** The whole file `packages/client/src/wire-types.ts`, formatted like the others. */
export function printWireTypes(): string {
  const biome = join(import.meta.dirname, '../../node_modules/.bin/biome')
  return execFileSync(biome, ['format', '--stdin-file-path=wire-types.ts'], {
    input: printAll(),
    encoding: 'utf8',
  })
}

function printAll(): string {
  const objects = Object.entries(OBJECTS).map(([name, schema]) => {
    const others = new Map([...NAMED].filter(([one]) => one !== schema))
    return `export type ${name} = ${printType(schema, others)}\n`
  })
  const events = WIRE_EVENTS.flatMap(({ forms }) => forms).map((form) => `  | ${printFields(form, NAMED)}`)
  const operations = operationsOf(true).map(printOperation)
  return `/**
 * The objects, events and operations of the API.
 *
 * Written by \`UPDATE_DOCS=1 npm test -- test/packages\` in the server's repository, from the schemas that the server
 * itself is typed by and tested against.
 */

${objects.join('\n')}
/** Any event; \`type\` and \`op\` tell which. */
export type Event =
${events.join('\n')}

/** The state that a registration returns; the requested types decide which fields it has. */
export type InitialState = Operations['POST /register']['reply']

/** The operations by method and path: what each takes, and what it answers. */
export interface Operations {
${operations.join('\n')}
}
`
}

function printOperation({ method, path, summary, params, reply }: Operation): string {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const properties = Object.fromEntries(Object.entries(reply).map(([name, { schema }]) => [name, schema]))
  const required = Object.keys(reply).filter((name) => !reply[name]?.isOptional)
  return `  /** ${summary}. */
  '${method} ${path}': {
    params: ${printParams(params, inPath)}
    reply: ${printFields({ properties, required }, NAMED)}
  }`
}

function printParams(params: Readonly<Record<string, Param<unknown>>>, inPath: ReadonlySet<unknown>): string {
  const fields = Object.entries(params).map(([name, { type, isRequired }]) => {
    const mark = isRequired || inPath.has(name) ? '' : '?'
    return `readonly ${name}${mark}: ${printType(type.schema, NAMED)}${mark === '' ? '' : ' | undefined'}`
  })
  return `{ ${fields.join('; ')} }`
}

/**
 * Brings the organization itself over, if the operator asks for it: name, settings, permissions, linkifiers, playgrounds,
 * domains, and default channels and settings. Each is decided as if an owner changed it now.
 */

import { findImported, importKey } from '../../../../db/imports/imported-ids.ts'
import {
  ORGANIZATION_DESCRIPTION_LENGTH_MAX,
  ORGANIZATION_NAME_LENGTH_MAX,
  RETENTION_DAYS_MAX,
} from '../../../../packages/rules/limits.ts'
import { renderMarkdown } from '../../../../workers/pool/render-markdown.ts'
import { decideDefaultAddition } from '../../../decisions/channels/change-default-channels.ts'
import { type Decided, done } from '../../../decisions/decision.ts'
import { decideNewEmailDomain } from '../../../decisions/organization/change-email-domains.ts'
import { decideNewLinkifier } from '../../../decisions/organization/change-linkifiers.ts'
import { changeOrganization } from '../../../decisions/organization/change-organization.ts'
import { decideNewPlayground } from '../../../decisions/organization/change-playgrounds.ts'
import { decideDefaultSettings } from '../../../decisions/organization/update-organization.ts'
import { type Scope, scopeFor } from '../../../decisions/scope.ts'
import { ORGANIZATION_PERMISSIONS } from '../../../domain/groups/permissions.ts'
import { TIME_LIMIT_SECONDS_MAX, WAITING_PERIOD_DAYS_MAX } from '../../../domain/limits.ts'
import type { OrganizationSettings } from '../../../domain/organization/organization-settings.ts'
import { PLAIN_SETTINGS } from '../../../domain/settings/plain-settings.ts'
import { between, choice, flag, type Setting } from '../../../domain/settings/setting-kinds.ts'
import {
  SETTINGS_WITHOUT_DEFAULT,
  USER_SETTINGS,
  type UserSettingChange,
} from '../../../domain/users/user-settings.ts'
import { ApiError, type ErrorName } from '../../../errors/api-error.ts'
import { cutText, type Fields, toTexts, toText } from '../fields.ts'
import type { ImportedChannels } from '../load-channels.ts'
import { permissionsHere } from '../load-permissions.ts'
import type { Loading } from '../loading.ts'
import type { ForeignOrganization } from '../records.ts'
import { snakeCase } from '../../../views/snake-case.ts'
import { readValidSettings } from './valid-settings.ts'

/** The settings that an import may set. Access for visitors, a required second factor and pictures are left out. */
const SETTINGS: Readonly<Partial<Record<keyof OrganizationSettings, Setting<unknown>>>> = {
  ...PLAIN_SETTINGS,
  waitingPeriodDays: between(0, WAITING_PERIOD_DAYS_MAX, 0, ''),
  topicsPolicy: choice(['allow_empty_topic', 'disable_empty_topic'], 'allow_empty_topic', ''),
  messageRetentionDays: between(-1, RETENTION_DAYS_MAX, -1, ''),
  sendsChannelEvents: flag(true, ''),
  allowsEditing: flag(true, ''),
  editHistoryVisibility: choice(['all', 'moves', 'none'], 'all', ''),
  hasReadReceipts: flag(true, ''),
  joinsWithoutConfirmation: flag(false, ''),
}
const TIME_LIMITS = [
  'contentEditLimitSeconds',
  'contentDeleteLimitSeconds',
  'topicMoveLimitSeconds',
  'channelMoveLimitSeconds',
] as const

type Decide = (scope: Scope<ErrorName>) => readonly Decided[]

/** Before the messages, since linkifiers change their HTML. */
export async function loadOrganization(loading: Loading, channels: ImportedChannels): Promise<void> {
  const given = loading.source.organization
  if (!given) return
  const change = (kind: string, what: unknown, decide: Decide) => bring(loading, kind, what, decide)
  await change('settings', given.fields, (scope) => settingFacts(loading, scope, given, channels))
  for (const one of given.linkifiers)
    await change(
      'linkifier',
      one,
      (scope) => decideNewLinkifier(scope, { linkifier: readLinkifier(one) }).events,
    )
  for (const one of given.playgrounds) {
    const playground = {
      name: toText(one['name']),
      language: toText(one['language']),
      urlTemplate: toText(one['url_template']),
    }
    await change('playground', one, (scope) => decideNewPlayground(scope, playground).events)
  }
  for (const one of given.emailDomains) {
    const domain = { domain: toText(one['domain']), allowsSubdomains: one['allows_subdomains'] === true }
    await change('domain', one, (scope) => decideNewEmailDomain(scope, domain).events)
  }
  const defaults = readValidSettings(USER_SETTINGS, given.defaultUserSettings)
  const changes = defaults
    .filter(([name]) => !SETTINGS_WITHOUT_DEFAULT.includes(name))
    .map(([name, value]) => ({ name, value })) as UserSettingChange[]
  await change('default settings', changes, (scope) => decideDefaultSettings(scope, { changes }).events)
  for (const id of given.defaultChannels) {
    const channelId = channels.find(id)
    if (channelId !== undefined)
      await change('default channel', id, (scope) => decideDefaultAddition(scope, { channelId }).events)
  }
}

/** Changes one thing, once; a refusal of it is reported. */
async function bring({ source, target, report }: Loading, kind: string, what: unknown, decide: Decide) {
  const key = importKey(source.origin, 'organization', kind, JSON.stringify(what))
  if ((await findImported(target.sql, [key])).has(key)) return
  try {
    await target.change(
      (scope) => done(decide(scopeFor(scope, target.owner.id))),
      () => [[key, 0]],
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    report.lose({ place: undefined, reason: `a part of the organization: ${kind}`, example: error.message })
  }
}

function settingFacts(
  loading: Loading,
  scope: Scope<ErrorName>,
  { fields, settings: given, permissions }: ForeignOrganization,
  channels: ImportedChannels,
): Decided[] {
  const name = cutText(toText(fields['name']), ORGANIZATION_NAME_LENGTH_MAX)
  const description = cutText(toText(fields['description']), ORGANIZATION_DESCRIPTION_LENGTH_MAX)
  const table = SETTINGS as Record<keyof OrganizationSettings, Setting<unknown>>
  const settings = Object.fromEntries(readValidSettings(table, given)) as Record<string, unknown>
  for (const limit of TIME_LIMITS) {
    const seconds = given[snakeCase(limit)]
    const isValid =
      Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= TIME_LIMIT_SECONDS_MAX
    if (isValid || seconds === null) settings[limit] = seconds
  }
  const announcements = channels.find(String(given['announcements_channel_id']))
  if (announcements !== undefined) settings['announcementsChannelId'] = announcements
  const moderation = channels.find(String(given['moderation_channel_id']))
  if (moderation !== undefined && scope.state.getChannel(moderation).channel.isPrivate)
    settings['moderationChannelId'] = moderation
  return changeOrganization(scope, {
    ...(name === '' ? {} : { name }),
    description,
    renderedDescription: description === '' ? '' : renderMarkdown(description),
    settings: settings as Partial<OrganizationSettings>,
    permissions: permissionsHere(loading, permissions, {
      rules: ORGANIZATION_PERMISSIONS,
      name: 'the organization',
    }),
  })
}

function readLinkifier(one: Fields) {
  const textOf = (name: string) => (typeof one[name] === 'string' ? toText(one[name]) : undefined)
  return {
    pattern: toText(one['pattern']),
    urlTemplate: toText(one['url_template']),
    exampleInput: textOf('example_input'),
    reverseTemplate: textOf('reverse_template'),
    alternativeUrlTemplates: toTexts(one['alternative_url_templates']),
  }
}

/** The notices of a channel's changes, in Markdown that no name or text can break out of. */

import type { Channel, ChannelFolder } from '../../domain/entities.ts'
import type { ChannelChange } from '../../domain/events/channels.ts'
import type { FolderId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { permissionName } from '../../views/permission-view.ts'
import type { Scope } from '../scope.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import { describePrivacy, mentionUser, noticeTexts, quote } from '../notice-wording.ts'

/** The notice of a change, or undefined where none is sent. */
export function describeChange(
  { state, caller }: Pick<Scope, 'state' | 'caller'>,
  before: Channel,
  change: ChannelChange,
): string | undefined {
  const texts = noticeTexts(state)
  const { t } = texts
  const actor = mentionUser(caller)
  switch (change.kind) {
    case 'name':
      return t('{actor} renamed channel {before} to {after}.', {
        actor,
        before: quoteName(before.name),
        after: quoteName(change.name),
      })
    case 'description':
      return [
        t('{actor} changed the description for this channel.', { actor }),
        `**${t('Old description:')}**\n\n${quoteText(texts, before.description)}`,
        `**${t('New description:')}**\n\n${quoteText(texts, change.description)}`,
      ].join('\n\n')
    case 'privacy':
      return t('{actor} changed the access permissions for this channel from **{before}** to **{after}**.', {
        actor,
        before: describePrivacy(texts, before),
        after: describePrivacy(texts, change),
      })
    case 'retention':
      return [
        t('{actor} changed the message retention period for this channel:', { actor }),
        `* **${t('Old retention period')}**: ${describeRetention(texts, before.retentionDays, state)}`,
        `* **${t('New retention period')}**: ${describeRetention(texts, change.retentionDays, state)}`,
      ].join('\n')
    case 'folder':
      return describeFolderChange(
        texts,
        actor,
        findFolder(before.folderId, state),
        findFolder(change.folderId, state),
      )
    case 'archived':
      return t('{actor} unarchived channel {name}.', { actor, name: quoteName(before.name) })
    case 'permission':
      if (change.permission !== 'canSendMessage') return undefined
      return t('{actor} changed who can send messages to this channel ({permission}).', {
        actor,
        permission: `\`${permissionName(change.permission)}\``,
      })
    case 'topicsPolicy':
    case 'linkPreviews':
      return undefined
  }
}

/** A name between backticks: the fence has one backtick more than the longest run in the name. */
function quoteName(name: string): string {
  const fence = '`'.repeat(longestRun(name) + 1)
  // A space on either side keeps a backtick at an end from joining the fence; clients do not show it.
  const content = /^`|`$|^ .* $/u.test(name) ? ` ${name} ` : name
  return `${fence}${content}${fence}`
}

function quoteText({ t }: ServerTexts, text: string): string {
  return text === '' ? `*${t('No description.')}*` : quote(text)
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}

function describeRetention(texts: ServerTexts, days: number | null, { settings }: OrganizationState): string {
  if (days !== null) return describeDays(texts, days)
  const period = describeDays(texts, settings.messageRetentionDays)
  const { t } = texts
  return t('Organization default ({period})', { period })
}

function describeDays({ t }: ServerTexts, days: number): string {
  return days < 0 ? t('Forever') : t('{days, plural, one {# day} other {# days}}', { days })
}

/** The name of a folder, quoted; undefined for none. */
function findFolder(id: FolderId | null, { folders }: OrganizationState): string | undefined {
  const folder: ChannelFolder | undefined = folders.find((one) => one.id === id)
  return folder && quoteName(folder.name)
}

function describeFolderChange(
  { t }: ServerTexts,
  actor: string,
  before: string | undefined,
  after: string | undefined,
): string {
  if (before === undefined)
    return t('{actor} moved this channel from no folder to folder {after}.', { actor, after: after ?? '' })
  if (after === undefined)
    return t('{actor} moved this channel from folder {before} to no folder.', { actor, before })
  return t('{actor} moved this channel from folder {before} to folder {after}.', { actor, before, after })
}

/** The notices of a channel's changes, in Markdown that no name or text can break out of. */

import type { Channel, ChannelFolder } from '../../domain/entities.ts'
import type { ChannelChange } from '../../domain/events/channels.ts'
import type { FolderId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { permissionName } from '../../views/permission-view.ts'
import type { Scope } from '../scope.ts'
import { describePrivacy, mentionUser, quote } from '../notice-wording.ts'

/** The notice of a change, or undefined where none is sent. */
export function describeChange(
  { state, caller }: Pick<Scope, 'state' | 'caller'>,
  before: Channel,
  change: ChannelChange,
): string | undefined {
  const actor = mentionUser(caller)
  switch (change.kind) {
    case 'name':
      return `${actor} renamed channel ${quoteName(before.name)} to ${quoteName(change.name)}.`
    case 'description':
      return [
        `${actor} changed the description for this channel.`,
        `**Old description:**\n\n${quoteText(before.description)}`,
        `**New description:**\n\n${quoteText(change.description)}`,
      ].join('\n\n')
    case 'privacy':
      return `${actor} changed the access permissions for this channel from **${describePrivacy(before)}** to **${describePrivacy(change)}**.`
    case 'retention':
      return [
        `${actor} changed the message retention period for this channel:`,
        `* **Old retention period**: ${describeRetention(before.retentionDays, state)}`,
        `* **New retention period**: ${describeRetention(change.retentionDays, state)}`,
      ].join('\n')
    case 'folder':
      return `${actor} moved this channel from ${describeFolder(before.folderId, state)} to ${describeFolder(change.folderId, state)}.`
    case 'archived':
      return `${actor} unarchived channel ${quoteName(before.name)}.`
    case 'permission':
      if (change.permission !== 'canSendMessage') return undefined
      return `${actor} changed who can send messages to this channel (\`${permissionName(change.permission)}\`).`
    case 'topicsPolicy':
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

function quoteText(text: string): string {
  return text === '' ? '*No description.*' : quote(text)
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}

function describeRetention(days: number | null, { settings }: OrganizationState): string {
  if (days === null) return `Organization default (${describeDays(settings.messageRetentionDays)})`
  return describeDays(days)
}

function describeDays(days: number): string {
  return days < 0 ? 'Forever' : days === 1 ? '1 day' : `${days} days`
}

function describeFolder(id: FolderId | null, { folders }: OrganizationState): string {
  const folder: ChannelFolder | undefined = folders.find((one) => one.id === id)
  return folder ? `folder ${quoteName(folder.name)}` : 'no folder'
}

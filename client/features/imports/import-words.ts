/** Products, phases and steps of imports in words. */

import type { Import } from './use-imports.ts'
import { t } from '../../texts/texts.ts'

type Product = Import['product']

export const PRODUCT_NAMES: Readonly<Record<Product, string>> = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  'rocket-chat': 'Rocket.Chat',
  discord: 'Discord',
  zulip: 'Zulip',
  parley: 'Parley',
}

/** The file that a product gives its owners. */
export const ARCHIVE_HINTS: Readonly<Record<Product, string>> = {
  slack: t('The ZIP file of Slack’s own export.'),
  mattermost: t('The ZIP file of “mmctl export create”.'),
  'rocket-chat': t('A ZIP file of the folder that “mongodump” wrote, or its single file.'),
  discord: t('A ZIP file of the JSON files that DiscordChatExporter wrote.'),
  zulip: t('The .tar.gz file of the organization’s export.'),
  parley: t('The ZIP file of an export.'),
}

/** Products whose archives only link files. */
export const LINKING_PRODUCTS: readonly Product[] = ['slack', 'discord']

export const PHASE_NAMES: Readonly<Record<Import['phase'], string>> = {
  waiting: t('Waiting for its file'),
  checking: t('Being checked'),
  checked: t('Checked'),
  running: t('Running'),
  done: t('Finished'),
  failed: t('Failed'),
  cancelled: t('Canceled'),
}

export const STEP_NAMES: Readonly<Record<NonNullable<Import['progress']>['step'], string>> = {
  starting: t('Opening the file…'),
  'people and channels': t('Reading people and channels…'),
  people: t('Adding people…'),
  'pictures of people': t('Adding profile pictures…'),
  'custom emoji': t('Adding custom emoji…'),
  channels: t('Adding channels…'),
  files: t('Adding files…'),
  messages: t('Adding messages…'),
  'pins, stars and archived channels': t('Adding pins and stars…'),
}

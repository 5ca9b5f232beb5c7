/** States of the browser client that people see, by name, in a team with much activity. */

import type { Page } from 'playwright-core'
import type { Person } from '../harness/servers/start-server.ts'
import { BUSY, type fillBusy } from './fill-busy.ts'
import { showView } from './show-view.ts'
import type { Team } from './team.ts'

/** The team, and the messages that pictures point at. */
export type BusyTeam = Team & Awaited<ReturnType<typeof fillBusy>>

export interface Look {
  /** The member, if nobody else is named. */
  readonly person?: Person
  /** Whether the state is an address alone, so that a page shows it without a new start. */
  readonly isAddress?: boolean
  /** Whether it needs a browser context of its own, since a new start of the page would not end it. */
  readonly isApart?: boolean
  /** The selector of what it adds to the state of another look. */
  readonly part?: string
  /** Brings a page of the client to the state. */
  readonly open: (page: Page, team: BusyTeam) => Promise<unknown>
}

const at = (fragment: string, shown: string, person?: Person): Look => ({
  ...(person && { person }),
  isAddress: true,
  open: async (page) => {
    await showView(page, fragment)
    await page.locator(shown).first().waitFor()
  },
})

const messageWith = (page: Page, text: string) => page.locator('article.message', { hasText: text }).last()

export const CLIENT_LOOKS: Readonly<Record<string, Look>> = {
  inbox: at('#inbox', '.inbox .line'),
  topic: { open: (page) => openTopic(page) },
  // The pictures of the README; `write-pictures.ts` takes them from here.
  talk: {
    open: async (page) => {
      await openTopic(page)
      await page.getByRole('log').evaluate((log) => (log.scrollTop = 0))
    },
  },
  'topic-panel': {
    part: '.panel',
    open: async (page) => {
      await openTopic(page)
      await page.getByRole('button', { name: 'Details' }).click()
      await page.locator('.panel h3').first().waitFor()
    },
  },
  rendered: {
    open: async (page) => {
      await showView(page, BUSY.rendered)
      await page.getByRole('button', { name: 'Show full message' }).first().waitFor()
      await page.getByRole('log').evaluate((log) => (log.scrollTop = 0))
    },
  },
  formulas: {
    part: '.katex',
    open: async (page) => {
      await showView(page, BUSY.rendered)
      await page.locator('.katex').last().scrollIntoViewIfNeeded()
    },
  },
  folded: {
    part: '.fold',
    open: async (page) => {
      await showView(page, BUSY.rendered)
      await page.getByRole('button', { name: 'Show full message' }).last().scrollIntoViewIfNeeded()
    },
  },
  channel: at(BUSY.channel, '.message'),
  tools: {
    part: '[role=toolbar]',
    open: async (page) => {
      await openTopic(page)
      await messageWith(page, 'When do we announce').hover()
      await page.getByRole('toolbar', { name: 'Message tools' }).waitFor()
    },
  },
  menu: {
    part: '[role=menu]',
    open: async (page) => {
      await openTopic(page)
      await openMessageMenu(page, 'The fix is on the way')
    },
  },
  'emoji-picker': {
    part: '.emoji-picker',
    open: async (page) => {
      await openTopic(page)
      await page.getByRole('button', { name: 'Emoji' }).first().click()
      await page.locator('.emoji-cells button').first().waitFor()
    },
  },
  completion: {
    part: '.composer',
    open: async (page) => {
      await openTopic(page)
      await page.getByRole('textbox', { name: 'Message' }).pressSequentially('Thanks, @')
      await page.locator('.suggestion').first().waitFor()
    },
  },
  suggestions: {
    part: 'header, [role=listbox]',
    open: async (page) => {
      await openTopic(page)
      await page.getByRole('combobox', { name: 'Search' }).fill('is:')
      await page.getByRole('option').first().waitFor()
    },
  },
  places: at('#places', '.side .row'),
  status: {
    part: 'dialog',
    open: async (page) => {
      await page.getByRole('button', { name: 'You' }).click()
      await page.getByRole('menuitem', { name: 'Set status' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  uploads: {
    part: '.composer',
    isApart: true,
    open: async (page) => {
      await openTopic(page)
      // Neither is ever complete: one stands still, one is refused.
      await page.route('**/tus*/**', () => undefined)
      await page.route('**/tus*', () => undefined)
      await page.locator('.composer input[type=file]').setInputFiles([
        { name: 'trace-2.zip', mimeType: 'application/zip', buffer: Buffer.alloc(300_000) },
        {
          name: 'a recording of the whole meeting with a long name.mp4',
          mimeType: 'video/mp4',
          buffer: Buffer.alloc(2_000_000),
        },
      ])
      await page.getByRole('button', { name: /^Pause a recording/ }).click()
    },
  },
  edit: {
    part: '.edit',
    open: async (page) => {
      await openTopic(page)
      await openMessageMenu(page, 'The fix is on the way', 'Edit')
      await page.locator('.edit textarea').waitFor()
    },
  },
  failed: {
    isApart: true,
    open: async (page) => {
      await openTopic(page)
      await page.route('**/messages', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 400,
              json: {
                result: 'error',
                code: 'BAD_REQUEST',
                msg: 'You do not have permission to post in this channel.',
              },
            })
          : route.continue(),
      )
      await page.getByRole('textbox', { name: 'Message' }).fill('This one does not arrive')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText('Not sent:').waitFor()
    },
  },
  typing: {
    part: '.typing',
    open: async (page, { server }) => {
      await openTopic(page)
      const type = () =>
        server
          .as('owner')
          .must('POST', '/typing', { type: 'stream', op: 'start', stream_id: 4, topic: 'Release 2.4' })
      await type()
      await page.getByText('is typing').waitFor()
    },
  },
  offline: {
    isApart: true,
    open: async (page) => {
      await page.routeWebSocket(/events/, (socket) => void socket.close())
      await page.route(/\/events/, (route) => route.abort())
      await page.reload()
      await openTopic(page)
      await page.getByText('Can’t reach the server').waitFor()
    },
  },
  lightbox: {
    part: 'dialog',
    open: async (page) => {
      await openTopic(page)
      await page.locator('.picture img').first().click()
      await page.locator('.lightbox img').waitFor()
    },
  },
  'profile-card': {
    part: '.profile-card',
    open: async (page) => {
      await openTopic(page)
      await messageWith(page, 'upload test once more').locator('.face').click()
      await page.locator('.profile-card').waitFor()
    },
  },
  move: { part: 'dialog', open: (page) => openMessageDialog(page, 'Move') },
  remind: { part: 'dialog', open: (page) => openMessageDialog(page, 'Remind me') },
  readers: { part: 'dialog', open: (page) => openMessageDialog(page, 'Read by') },
  history: {
    part: 'dialog',
    open: async (page, { server, lastId }) => {
      await server
        .as('owner')
        .must('PATCH', `/messages/${lastId}`, { content: 'The new place has a *long* queue already' })
      await showView(page, '#narrow/channel/6-random/topic/lunch')
      await openMessageMenu(page, 'queue already', 'history')
      await page.locator('.versions li').first().waitFor()
    },
  },
  recent: at('#recent', '.inbox .line'),
  topics: at('#topics/4', '.inbox .line'),
  direct: at('#narrow/dm/1-noor', '.message'),
  mentions: at('#narrow/is/mentioned', '.message'),
  starred: at('#narrow/is/starred', '.message'),
  search: at('#narrow/search/index', '.highlight'),
  'search-empty': at('#narrow/channel/1/search/nowhere', '.list .empty-state'),
  'empty-topic': at('#narrow/channel/2-design/topic/nothing.20yet', 'text=No messages yet.', 'guest'),
  'new-direct': {
    part: 'dialog',
    open: async (page) => {
      await showView(page, '#new-direct')
      await page.locator('dialog .picker').waitFor()
    },
  },
  scheduled: at('#scheduled', '.inbox .line'),
  reminders: at('#reminders', '.inbox .line'),
  drafts: at('#drafts', '.inbox .line'),
  'no-drafts': at('#drafts', '.empty-state', 'guest'),
  shortcuts: {
    part: 'dialog',
    open: async (page) => {
      await showView(page, '#inbox')
      await page.locator('.inbox .line').first().waitFor()
      await page.keyboard.press('?')
      await page.locator('.shortcuts').waitFor()
    },
  },
  toast: {
    part: '.toast',
    open: async (page) => {
      await showView(page, '#inbox')
      await page.locator('.inbox .line').first().waitFor()
      await page.getByRole('button', { name: /^Mark Flaky uploads as read/ }).click()
      await page.locator('.toast').waitFor()
    },
  },
  user: at('#user/1', '.profile'),
  channels: at('#channels', '.card'),
  'channel-settings': at('#channels/4', 'text=Email to this channel', 'owner'),
  'new-channel': at('#channels/new', 'text=Who can read', 'owner'),
  folders: at('#channels/folders', '.page', 'owner'),
  feed: at('#feed', '.message'),
  'unknown-conversation': at('#narrow/channel/999', '[role=alert]'),
  'settings-profile': at('#settings/profile', 'text=Choose picture'),
  'settings-notifications': at('#settings/notifications', 'text=Sound and counts'),
  'settings-account': at('#settings/account', 'text=Two-step log-in'),
  'settings-proof': {
    part: 'dialog',
    open: async (page) => {
      const msg = 'Confirm that it is you: this needs your password.'
      const json = { result: 'error', msg, code: 'RECENT_LOGIN_REQUIRED' }
      await page.route('**/api_key/regenerate', (route) => route.fulfill({ status: 400, json }))
      await page.route('**/two_factor', (route) =>
        route.fulfill({ json: { result: 'success', msg: '', totp_enabled: true, recovery_codes_left: 10 } }),
      )
      await showView(page, '#settings/account')
      await page.getByRole('button', { name: 'Create new key' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create new key' }).click()
      await page.getByLabel('Code from your authenticator app').waitFor()
    },
  },
  'settings-muted': at('#settings/muted', '.page h2, .page p'),
  'settings-alert-words': at('#settings/alert-words', '.page form'),
  'settings-snippets': at('#settings/snippets', '.page form, .page button'),
  'settings-uploads': at('#settings/uploads', '.page li, .page p'),
  'settings-appearance': at('#settings/appearance', '.settings-part'),
  'settings-sessions': at('#settings/sessions', '.card'),
  'settings-bots': at('#settings/bots', '.settings-part'),
  'settings-integrations': at('#settings/integrations', '.settings-part'),
  'organization-people': at('#organization/people', '.section-body .card', 'owner'),
  'organization-permissions': at('#organization/permissions', '.section-body .setting', 'owner'),
  'log-out': {
    isApart: true,
    open: async (page) => {
      // A page that finds its session ended leaves by itself, which would break off the way to the next one.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await page.goto('/')
      await page.getByLabel('Email address').waitFor()
    },
  },
  'log-out-question': {
    isApart: true,
    part: 'dialog',
    open: async (page) => {
      await writeUnsent(page)
      await page.getByRole('button', { name: 'You', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.getByRole('dialog', { name: 'Log out without sending?' }).waitFor()
    },
  },
  leftovers: {
    isApart: true,
    part: '.visit-offer',
    open: async (page) => {
      await writeUnsent(page)
      await page.context().clearCookies()
      await page.goto('/')
      await page.getByText('unsent on this device').waitFor()
    },
  },
  loading: {
    isApart: true,
    open: async (page) => {
      // The messages do not come.
      await page.route('**/messages?*', () => undefined)
      await showView(page, BUSY.topic)
      await page.getByRole('status').getByText('Loading messages').waitFor()
    },
  },
}

async function openTopic(page: Page): Promise<void> {
  await showView(page, BUSY.topic)
  await page.getByRole('log').getByText('The fix is on the way').waitFor()
  // A draft of another look.
  await page.locator('.composer textarea').fill('')
  await page.getByRole('log').evaluate((log) => (log.scrollTop = log.scrollHeight))
}

/** Writes a message that the server never gets. */
async function writeUnsent(page: Page): Promise<void> {
  await openTopic(page)
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.getByRole('textbox', { name: 'Message' }).fill('On my way')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await page.locator('.pending').waitFor()
}

async function openMessageMenu(page: Page, text: string, item?: string): Promise<void> {
  await messageWith(page, text).hover()
  await page.getByRole('toolbar', { name: 'Message tools' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menu').waitFor()
  if (item !== undefined) await page.getByRole('menuitem', { name: item }).first().click()
}

async function openMessageDialog(page: Page, item: string): Promise<void> {
  await openTopic(page)
  await openMessageMenu(page, 'The fix is on the way', item)
  await page.getByRole('dialog').waitFor()
}

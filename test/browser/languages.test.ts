/** The browser client in other languages: chosen in the settings, mirrored, and with every text from a catalogue. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { pseudoCatalogue } from '../texts/pseudo.ts'
import { waitForFrames } from './conversation.ts'
import { logInTo, openPage, startTeam } from './team.ts'

/** Longer than a line of a list. */
const LONG = 'All of it is written down, from the first idea to the last word. '.repeat(5).trim()
const { server, browser, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['παιδιά'], { principals: [owner.userId, member.userId] })
await owner.send('παιδιά', 'νέα', 'Καλημέρα, @**The member**')
await owner.sendDirect([member.userId], 'Καλησπέρα')
await owner.send('παιδιά', 'λόγια', LONG)
const { stream_id: channelId } = await member.must(
  'GET',
  `/get_stream_id?stream=${encodeURIComponent('παιδιά')}`,
)

/** Whether the first letter of an element is inside of it. */
function showsItsStart(element: Element): boolean {
  const range = document.createRange()
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
  if (!text) return false
  range.setStart(text, 0)
  range.setEnd(text, 1)
  const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
  return letter.left >= box.left - 1 && letter.right <= box.right + 1
}

async function choose(page: Page, label: string, language: string, heading: string): Promise<void> {
  await page.goto('/#settings/appearance')
  await page.getByLabel(label, { exact: true }).selectOption({ label: language })
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}

t.test('[LANG1] a person chooses German, which their other pages have from the next start', async (t) => {
  const page = await openAs(t, 'member')
  await choose(page, 'Language', 'Deutsch', 'Anzeige')
  t.equal(await page.evaluate(() => document.documentElement.lang), 'de')
  const { user_settings: settings } = await member.must('POST', '/register')
  t.match(settings, { default_language: 'de', twenty_four_hour_time: true }, 'with the clock of the language')
  await page.getByRole('link', { name: 'Eingang' }).first().click()
  await page.getByRole('heading', { name: 'Eingang' }).waitFor()
  await page.getByRole('button', { name: 'Alle als gelesen markieren' }).waitFor()
  await page.goto(
    `/#narrow/channel/${String(channelId)}/topic/${encodeURIComponent('νέα').replaceAll('%', '.')}`,
  )
  await page.getByText('Καλημέρα').first().waitFor()
  const box = page.getByRole('textbox', { name: 'Nachricht' })
  await box.fill('Guten Morgen')
  await page.getByRole('button', { name: 'Senden', exact: true }).click()
  await page.getByRole('article').filter({ hasText: 'Guten Morgen' }).waitFor()
  await page.getByText('Heute').first().waitFor()
  // A new device begins in the language of its browser, and takes that of the person.
  const other = await openAs(t, 'member')
  await other.getByRole('link', { name: 'Eingang' }).first().waitFor()
  await choose(page, 'Sprache', 'English', 'Display')
  t.equal(await page.evaluate(() => document.documentElement.lang), 'en')
})

t.test(
  '[LANG2] a language from right to left mirrors the frame; untranslated texts are English',
  async (t) => {
    const page = await openAs(t, 'member')
    // A text that the catalogue lacks, as new ones do until somebody translates them.
    const lacking =
      'An authenticator app or a passkey protects your account even if someone learns your password.'
    await page.route('**/app/he-*.json', async (route) => {
      const response = await route.fetch()
      const { [lacking]: translation, ...others } = (await response.json()) as Record<string, string>
      t.type(translation, 'string')
      await route.fulfill({ response, json: others })
    })
    await choose(page, 'Language', 'עברית', 'תצוגה')
    t.equal(await page.evaluate(() => document.documentElement.dir), 'rtl')
    await page.goto(
      `/#narrow/channel/${String(channelId)}/topic/${encodeURIComponent('νέα').replaceAll('%', '.')}`,
    )
    await page.getByText('Καλημέρα').first().waitFor()
    const time = await page.locator('.message time').first().textContent()
    t.match(time, /^\u2068[\d:]+\u2069$/, 'a time stands apart from the words around it')
    const side = await page.getByRole('navigation').first().boundingBox()
    const main = await page.getByRole('main').boundingBox()
    t.ok(side && main && side.x > main.x, 'the sidebar is on the right')
    t.notOk(
      await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
      'it fits the window',
    )
    await page.goto('/#recent')
    const said = page.locator('.said > bdi').filter({ hasText: 'All of it is written down' })
    await said.waitFor()
    t.ok(await said.evaluate(showsItsStart), 'a text of the other direction is cut at its end')
    await page.goto('/#settings/account')
    await page.getByText(lacking).waitFor()
    await choose(page, 'שפה', 'English', 'Display')
  },
)

t.test(
  '[LANG4] the log-in is in the language that the organization has chosen, or that of the browser; a person keeps theirs',
  async (t) => {
    await owner.must('PATCH', '/realm', { default_language: 'he' })
    t.teardown(() => owner.must('PATCH', '/realm', { default_language: 'en' }))
    const page = await openPage(t, browser, server.node.url, { locale: 'de-DE' })
    await page.goto('/')
    await page.getByRole('button', { name: 'התחברות', exact: true }).waitFor()
    t.match(await page.locator(':root').getAttribute('dir'), 'rtl')
    // The person has English, which is kept on the device from now on.
    await logInTo(page.context(), 'member')
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    t.match(await page.locator(':root').getAttribute('lang'), 'en')

    await owner.must('PATCH', '/realm', { default_language: 'en' })
    const german = await openPage(t, browser, server.node.url, { locale: 'de-DE' })
    await german.goto('/')
    await german.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
    await owner.must('PATCH', '/realm', { default_language: 'fr' })
    await german.reload()
    await german.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
  },
)

/** The addresses of main views. */
const VIEWS = [
  '#inbox',
  '#recent',
  '#drafts',
  '#narrow/is/starred',
  `#narrow/channel/${String(channelId)}`,
  '#channels',
  '#channels/new',
  `#channels/${String(channelId)}`,
  '#groups',
  '#settings/profile',
  '#settings/appearance',
  '#settings/notifications',
  '#settings/account',
  '#organization/profile',
  '#organization/permissions',
  '#organization/messages',
  '#organization/joining',
  '#organization/people',
]

t.test('[LANG3] in a longer language every text comes from a catalogue, and fits', async (t) => {
  const page = await openAs(t, 'owner')
  await page.route(/\/app\/de-\w+\.json$/, (route) => route.fulfill({ json: pseudoCatalogue() }))
  await page.goto('/#settings/appearance')
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await page.locator(':root[lang="de"]').waitFor()
  for (const view of VIEWS) {
    await page.goto(`/${view}`)
    await page.getByRole('main').getByRole('heading').first().waitFor()
    await page.waitForFunction(() => document.querySelector('.waiting') === null)
    t.same(await page.evaluate(findForeign), [], view)
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 })
      // The parts of a phone are drawn in the next frame.
      await waitForFrames(page)
      t.same(await page.evaluate(findWide), [], `${view} at ${width}`)
    }
    await page.setViewportSize({ width: 1280, height: 740 })
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  t.same(await page.evaluate(findForeign), [], 'the palette')
})

/** Words of the page without accents, but for names, code and texts of people. */
function findForeign(): string[] {
  const skipped = 'bdi, [dir="auto"], kbd, code, time, script, style, .rendered, select[name], option'
  const isForeign = (text: string) =>
    /[A-Za-z]{3}/.test(
      text.replaceAll(
        /\b(?:Ctrl|Esc|Parley|Shift|UTC|AM|PM|The owner|The member|Test Organization|PNG|JPEG|GIF|WebP|MiB|Markdown)\b/g,
        '',
      ),
    )
  const found = new Set<string>()
  const texts = document.createTreeWalker(
    document.querySelector('.app') ?? document.body,
    NodeFilter.SHOW_ELEMENT,
  )
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node as HTMLElement
    if (element.closest(skipped)) continue
    const own = [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent ?? '')
    const labels = ['aria-label', 'title', 'placeholder', 'alt'].map(
      (name) => element.getAttribute(name) ?? '',
    )
    for (const text of [...own, ...labels]) if (isForeign(text)) found.add(text.trim())
  }
  return [...found]
}

/** Elements wider than the window or than its button. */
function findWide(): string[] {
  const wide = [...document.querySelectorAll<HTMLElement>('button, a.button, h1, h2, h3, label, legend')]
    .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
    .filter(
      (one) => getComputedStyle(one).overflowX === 'visible' && getComputedStyle(one).display !== 'inline',
    )
    .map((one) => `${one.tagName} ${one.className}: ${one.textContent}`)
  return document.documentElement.scrollWidth > innerWidth ? [...wide, 'the page'] : wide
}

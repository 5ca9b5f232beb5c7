/** Cards of linked pages in the client. */

import sharp from 'sharp'
import t from 'tap'
import { PreviewFigures } from '../../workers/jobs/previews/preview-figures.ts'
import { runPreviews } from '../../workers/jobs/previews/run-previews.ts'
import { openSources } from '../../workers/jobs/previews/start-previews.ts'
import { startOutside } from '../harness/providers/start-outside.ts'
import { openTestSender } from '../harness/worlds/open-test-sender.ts'
import { waitForFrames } from './conversation.ts'
import { startTeam } from './team.ts'

const outside = await startOutside(t)
const { server, openAs } = await startTeam(t, outside.env)
const owner = server.as('owner')
await owner.subscribe(['general'], { principals: [owner.userId, server.as('member').userId] })
await owner.must('PATCH', '/realm', { inline_url_embed_preview: true })
const sender = await openTestSender(t, server)
const closers: (() => unknown)[] = []
t.teardown(async () => {
  for (const close of closers) await close()
})
const limits = { totalMsMax: 120_000, firstByteMsMax: 120_000 }
const sources = { ...openSources(server.node.services.sql, server.config.outbound, closers), limits }
/** Previews all that waits. */
const preview = () =>
  runPreviews({
    sql: server.node.services.sql,
    openSender: async () => sender,
    sources,
    figures: new PreviewFigures(),
    underWay: new Map(),
  })
const picture = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
for (const [path, bytes] of [
  ['/picture.png', await picture(800, 500, '#31708f')],
  ['/photo.png', await picture(600, 400, '#7a5c2e')],
] as const)
  outside.serve(path, (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes))
const page = outside.servePage(
  '/page',
  '<meta property="og:title" content="Release notes: what changed in the spring"><meta property="og:image" content="/picture.png">' +
    `<meta property="og:description" content="${'The second half of the plan is done, and the rest follows. '.repeat(6)}">`,
)
const plain = outside.servePage('/plain', '<title>A page without a picture</title>')
const PLACE = '/#narrow/channel/1-general/topic/links'
const SHOTS = process.env['PARLEY_SHOTS']

t.test(
  '[PREVIEW20] a card has one size, shows only pictures of this server, and keeps the place of its reader',
  async (t) => {
    for (let at = 0; at < 30; at++) await owner.send('general', 'links', `Line ${at}\n\nwith two paragraphs`)
    const early = await owner.send('general', 'links', `See ${page}`)
    for (let at = 30; at < 60; at++) await owner.send('general', 'links', `Line ${at}\n\nwith two paragraphs`)
    const tab = await openAs(t, 'member', { path: `${PLACE}/near/${early}` })
    const asked: string[] = []
    tab.on('request', (request) => asked.push(new URL(request.url()).origin))
    const message = tab.locator(`#message-${early}`)
    await message.waitFor()
    const after = tab.getByText('Line 33')
    await after.waitFor()
    await waitForFrames(tab)
    // The reader goes on until the message is above.
    await after.evaluate((one) => one.scrollIntoView({ block: 'start' }))
    const topOf = () => after.evaluate((one) => Math.round(one.getBoundingClientRect().top))
    await tab.waitForFunction(
      (id) => (document.querySelector(`#message-${id}`)?.getBoundingClientRect().bottom ?? 1e9) < 100,
      early,
    )
    await waitForFrames(tab)
    const before = await topOf()
    await preview()
    const card = message.locator('.message_embed')
    await card.waitFor({ state: 'attached' })
    await waitForFrames(tab)
    t.ok(Math.abs((await topOf()) - before) <= 1, 'what is read stays where it is')
    await card.scrollIntoViewIfNeeded()
    await tab.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.message_embed img')?.naturalWidth,
    )
    t.equal((await card.boundingBox())?.height, 88)
    const title = card.getByRole('link', { name: 'Release notes: what changed in the spring' })
    t.match(
      [await title.getAttribute('href'), await title.getAttribute('rel')],
      [page, 'noopener noreferrer'],
    )
    t.equal(await card.getByRole('link').count(), 1, 'the picture is no second link for screen readers')

    // The link of a message in the middle of the screen, among others.
    const middle = await owner.send('general', 'cards', `Later ${plain}`)
    const words: number[] = []
    for (let at = 0; at < 40; at++) words.push(await owner.send('general', 'cards', `Word ${at}`))
    await tab.goto(`/#narrow/channel/1-general/topic/cards/near/${middle}`)
    const among = tab.locator(`#message-${middle}`)
    const below = tab.getByText('Word 3', { exact: true })
    await below.waitFor()
    await waitForFrames(tab)
    await among.evaluate((one) => one.scrollIntoView({ block: 'start' }))
    const topOfBelow = () => below.evaluate((one) => Math.round(one.getBoundingClientRect().top))
    await waitForFrames(tab)
    const stood = await topOfBelow()
    await preview()
    // An event that comes later is there.
    await owner.must('POST', `/messages/${words[5]}/reactions`, { emoji_name: 'tada' })
    await tab.locator(`#message-${words[5]} .reactions`).waitFor()
    t.equal(
      await among.locator('.message_embed').count(),
      0,
      'a card waits while its message is on the screen',
    )
    t.equal(await topOfBelow(), stood)
    await tab.getByRole('log').evaluate((log) => (log.scrollTop = log.scrollHeight))
    await among.locator('.message_embed').waitFor({ state: 'attached' })

    const others = await owner.send('general', 'links', `${page} ${plain} and ${outside.url}/photo.png`)
    await preview()
    const last = tab.locator(`#message-${others}`)
    await tab.goto(`${PLACE}/near/${others}`)
    await last.locator('.message_embed').nth(1).waitFor()
    await last.locator('a.picture img').waitFor()
    t.equal((await last.locator('.message_embed').nth(1).boundingBox())?.height, 88)
    t.same([...new Set(asked)], [new URL(server.node.url).origin], 'the page asks no other server')
    if (SHOTS !== undefined) await takePictures(tab)

    await server.as('member').must('PATCH', '/settings', { parley_show_link_previews: false })
    await tab.reload()
    await last.waitFor()
    t.equal(await tab.locator('.message_embed').count(), 0, 'a person may do without')
    t.equal(await last.locator('img[src^="/external_content/"]').count(), 0)
    t.ok(await last.getByRole('link', { name: plain }).isVisible())
  },
)

async function takePictures(tab: Awaited<ReturnType<typeof openAs>>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme })
    await tab.screenshot({ path: `${SHOTS}/link-previews-${colorScheme}.png` })
  }
  await tab.setViewportSize({ width: 390, height: 780 })
  await tab.screenshot({ path: `${SHOTS}/link-previews-phone.png` })
}

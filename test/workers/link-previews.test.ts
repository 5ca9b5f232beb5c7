/** Previews of links: fetched from strangers, attached to messages, and served by this server. */

import { brotliCompressSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import type { PreviewWork } from '../../workers/jobs/previews/run-previews.ts'
import { runPreviews } from '../../workers/jobs/previews/run-previews.ts'
import { plainTextOf } from '../../workers/jobs/push/plain-text.ts'
import { PreviewFigures } from '../../workers/jobs/previews/preview-figures.ts'
import { openSources } from '../../workers/jobs/previews/start-previews.ts'
import { cleanUp } from '../../workers/jobs/upkeep/clean-up.ts'
import { removeOldPreviews } from '../../db/messages/link-previews.ts'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { expectRefusal } from '../harness/client/expect-refusal.ts'
import { startOutside } from '../harness/providers/start-outside.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { openTestSender } from '../harness/worlds/open-test-sender.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from './start-worker-process.ts'

const outside = await startOutside(t)
const server = await startTestServer(t, { env: outside.env })
const { sql, state } = server.node.services
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
await owner.subscribe(['general'], { principals: [owner, member].map((one) => one.userId) })
const sender = await openTestSender(t, server)
const closers: (() => unknown)[] = []
t.teardown(async () => {
  for (const close of closers) await close()
})
const sources = openSources(sql, server.config.outbound, closers)
const work: PreviewWork = {
  sql,
  openSender: async () => sender,
  // A busy machine may take its time: only tests of limits set narrower ones.
  sources: {
    ...sources,
    limits: { totalMsMax: 120_000, firstByteMsMax: 120_000 },
    providers: [{ hosts: ['127.0.0.2:0'], endpoint: '' }],
  },
  figures: new PreviewFigures(),
  underWay: new Map(),
}
/** Previews all that waits, until the server has it. */
const preview = async (more: Partial<PreviewWork['sources']> = {}) => {
  await runPreviews({ ...work, sources: { ...work.sources, ...more } })
  await pollUntil('the server has it', () => state.appliedId >= sender.services.state.appliedId)
}
const htmlOf = async (id: number, reader = member) =>
  (await reader.must('GET', `/messages/${id}`, { apply_markdown: true })).message.content
const send = (content: string, topic = 'links') => member.send('general', topic, content)
const waiting = async () => (await sql`select message_id from waiting_previews`).length
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
const servePicture = (path: string, bytes: Buffer, type = 'image/png') =>
  outside.serve(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(bytes))
const cardsIn = (html: string) => html.match(/class="message_embed"/g)?.length ?? 0
const PATH = /\/external_content\/[0-9a-f]{32}\.webp/

t.test(
  '[PREVIEW6] without the setting of the organization nothing is fetched, and it is off at first',
  async (t) => {
    t.match(await owner.must('POST', '/register', {}), {
      realm_inline_url_embed_preview: false,
      realm_inline_image_preview: true,
      server_inline_url_embed_preview: true,
    })
    const id = await send(outside.servePage('/off', '<title>Off</title>'))
    t.equal(await waiting(), 0)
    await preview()
    t.equal(outside.requests.length, 0)
    t.equal(cardsIn(await htmlOf(id)), 0)
    await owner.must('PATCH', '/realm', { inline_url_embed_preview: true })
    await sender.catchUp()
  },
)

t.test('[PREVIEW7] a page becomes a card, by one event for readers that counts as no edit', async (t) => {
  servePicture('/card.png', await picture(800, 600))
  const url = outside.servePage(
    '/page',
    '<title>x</title><meta property="og:title" content="A &lt;b&gt; &quot;page&quot;">' +
      '<meta property="og:description" content="About &amp; more"><meta property="og:image" content="/card.png">',
  )
  let id = 0
  const events = await expectConsistent(server, async () => {
    id = await send(`see ${url} there`)
    await preview()
  })
  const html = await htmlOf(id)
  const path = PATH.exec(html)?.[0] ?? ''
  t.equal(
    html,
    `<p>see <a href="${url}">${url}</a> there</p>\n` +
      `<div class="message_embed"><a class="message_embed_image" href="${url}" ` +
      `style="background-image: url(&quot;${path}&quot;)"></a><div class="data-container">` +
      `<div class="message_embed_title"><a href="${url}" title="A &lt;b&gt; &quot;page&quot;">A &lt;b&gt; &quot;page&quot;</a></div>` +
      '<div class="message_embed_description">About &amp; more</div></div></div>',
  )
  t.equal(plainTextOf(html), `see ${url} there`, 'notifications leave cards out')
  const [update] = events.member.filter(({ type }) => type === 'update_message')
  t.match(update, {
    type: 'update_message',
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    flags: events.member.find(({ type }) => type === 'message')?.flags ?? [],
    stream_id: 1,
    stream_name: 'general',
    content: `see ${url} there`,
    rendered_content: html,
    is_me_message: false,
  })
  t.same(
    events.owner.filter(({ type }) => type === 'update_message').map(({ flags }) => flags),
    [[]],
  )
  for (const one of ['guest', 'member2'] as const)
    t.notOk(
      events[one].some(({ type }) => type === 'update_message'),
      'only subscribers get it',
    )
  const { message } = await member.must('GET', `/messages/${id}`, {})
  t.notOk('last_edit_timestamp' in message, 'it is not edited')
  t.same((await member.must('GET', `/messages/${id}/history`, {})).message_history.length, 1)
  const served = await fetch(server.node.url + path)
  t.match([served.status, served.headers.get('content-type')], [200, 'image/webp'])
  const { width, height } = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
  t.same([width, height], [400, 300])
  t.equal((await fetch(`${server.node.url}/external_content/${'0'.repeat(32)}.webp`)).status, 404)
  const [asked] = outside.requests
  t.notOk(asked?.headers.cookie ?? asked?.headers.referer, 'the stranger learns nothing of the message')
  t.equal(await waiting(), 0)
})

t.test('[PREVIEW21] a channel may turn previews off, by users who administer it', async (t) => {
  const url = outside.servePage('/of-a-channel', '<title>Of a channel</title>')
  const change = { parley_link_previews: false }
  expectRefusal(
    t,
    await member.patch('/streams/1', change),
    'You do not have permission to administer this channel.',
  )
  expectRefusal(
    t,
    await owner.patch('/streams/1', { parley_link_previews: 'maybe' }),
    'parley_link_previews is not valid JSON',
  )
  const events = await expectConsistent(server, () => owner.must('PATCH', '/streams/1', change))
  t.match(
    events.member.filter(({ type }) => type === 'stream'),
    [{ op: 'update', property: 'parley_link_previews', value: false }],
  )
  await sender.catchUp()
  const without = await send(`no card: ${url}`)
  t.equal(await waiting(), 0)
  const elsewhere = await member.sendDirect([owner.userId], `a card: ${url}`)
  await preview()
  t.equal(outside.countOf('/of-a-channel'), 1)
  t.equal(cardsIn(await htmlOf(elsewhere)), 1)
  await member.must('PATCH', `/messages/${without}`, { content: `still none: ${url}` })
  await preview()
  t.equal(cardsIn(await htmlOf(without)), 0)
  await owner.must('PATCH', '/streams/1', { parley_link_previews: true })
  const { parley_link_previews: isOn } = (await member.must('GET', '/streams/1')).stream
  t.equal(isOn, true)
  await member.must('PATCH', `/messages/${without}`, { content: `now one: ${url}` })
  t.equal(cardsIn(await htmlOf(without)), 1, 'a known one comes with the edit')
  await sender.catchUp()
})

t.test('[PREVIEW8] a picture is shown as a thumbnail of this server, if pictures are shown', async (t) => {
  const url = servePicture('/photo.png', await picture(1_680, 1_120))
  const id = await send(url)
  await preview()
  const html = await htmlOf(id)
  t.match(
    html,
    `<div class="message_inline_image"><a href="${url}"><img data-original-dimensions="1680x1120"`,
  )
  t.notMatch(html, `src="${outside.url}`)
  await owner.must('PATCH', '/realm', { inline_image_preview: false })
  const off = await send(`${url} again`)
  const other = await send(servePicture('/photo2.png', await picture(10, 10)))
  await preview()
  t.notMatch((await htmlOf(off)) + (await htmlOf(other)), 'message_inline_image')
  await owner.must('PATCH', '/realm', { inline_image_preview: true })
  t.equal(outside.countOf('/photo.png'), 1)
})

t.test('[PREVIEW9] an address is fetched once in a day, and once in an hour after a failure', async (t) => {
  const url = outside.servePage('/once', '<title>Once</title>')
  const missing = `${outside.url}/missing`
  for (let at = 0; at < 3; at++) await send(`${url} ${missing} #${at}`)
  await Promise.all([preview(), preview(), preview()])
  t.same([outside.countOf('/once'), outside.countOf('/missing')], [1, 1])
  await send(`${missing} ${url} later`)
  await preview()
  t.same([outside.countOf('/once'), outside.countOf('/missing')], [1, 1])
  const lives = await sql<{ hours: number; isFailure: boolean }[]>`
    select round(extract(epoch from expires_at - now()) / 3600)::int as hours, preview is null as "isFailure"
    from link_previews`
  t.ok(lives.every(({ hours, isFailure }) => hours === (isFailure ? 1 : 24)))
  await sql`update link_previews set expires_at = now()`
  const id = await send(`${missing} ${url} next day`)
  await preview()
  t.same([outside.countOf('/once'), outside.countOf('/missing')], [2, 2])
  t.equal(cardsIn(await htmlOf(id)), 1)
})

t.test('[PREVIEW10] a message has at most five previews: 200 links cost what five do', async (t) => {
  const urls = Array.from({ length: 200 }, (_, at) =>
    outside.servePage(`/many/${at}`, `<title>Page ${at}</title>`),
  )
  const before = outside.requests.length
  const id = await send(urls.join(' '))
  await preview()
  t.equal(outside.requests.length - before, 5)
  const html = await htmlOf(id)
  t.equal(cardsIn(html), 5)
  t.same(
    [...html.matchAll(/title="Page (\d+)"/g)].map(([, at]) => at),
    ['0', '1', '2', '3', '4'],
    'in the order of the text',
  )
  const twice = await send(`${urls[7]} ${urls[7]} [named](${urls[7]})`)
  await preview()
  t.equal(cardsIn(await htmlOf(twice)), 1, 'each address once')
})

t.test('[PREVIEW11] quotes, spoilers, code, other schemes and own addresses have no previews', async (t) => {
  const url = outside.servePage('/hidden', '<title>Hidden</title>')
  for (const content of [
    `> ${url}`,
    `\`\`\`quote\n${url}\n\`\`\``,
    `\`\`\`spoiler x\n${url}\n\`\`\``,
    `\`\`\`spoiler ${url}\nx\n\`\`\``,
    `\`${url}\``,
    `\`\`\`\n${url}\n\`\`\``,
    'someone@example.com',
    `${server.node.url}/#narrow/channel/1-general`,
    'ftp://127.0.0.2/x',
    `${outside.url}/${'x'.repeat(2_100)}`,
  ]) {
    await send(content)
    t.equal(await waiting(), 0, content.slice(0, 60))
  }
})

t.test(
  '[PREVIEW12] an edit keeps the right previews, and an edited message gets nothing stale',
  async (t) => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) =>
      outside.servePage(`/edit/${name}`, `<title>Page ${name}</title>`),
    ) as [string, string, string]
    const id = await send(`${one} ${two}`)
    await preview()
    const titles = async () => [...(await htmlOf(id)).matchAll(/title="Page (\w+)"/g)].map(([, name]) => name)
    t.same(await titles(), ['one', 'two'])
    await member.must('PATCH', `/messages/${id}`, { content: `${two} ${three} now` })
    t.same(await titles(), ['two'], 'a known preview is there at once')
    await preview()
    t.same(await titles(), ['two', 'three'])
    await member.must('PATCH', `/messages/${id}`, { content: 'nothing' })
    t.equal(await htmlOf(id), '<p>nothing</p>')
    t.equal(await waiting(), 0)

    let go = () => {}
    const held = outside.serve('/held', (_, response) => {
      go = () => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Page held</title>')
    })
    const fresh = outside.servePage('/edit/fresh', '<title>Page fresh</title>')
    for (const [change, shown] of [
      [{ content: 'other words' }, []],
      [{ content: `now ${one}` }, ['one']],
      [{ content: `now ${fresh}` }, ['fresh']],
      [{ topic: 'elsewhere' }, ['held']],
    ] as const) {
      await sql`delete from link_previews where preview ->> 'title' = 'Page held'`
      const count = outside.countOf('/held')
      const target = await send(`words ${held}`)
      const done = preview()
      await pollUntil('it is asked', () => outside.countOf('/held') > count)
      await member.must('PATCH', `/messages/${target}`, change)
      go()
      await done
      const found = (await htmlOf(target)).matchAll(/title="Page (\w+)"/g)
      t.same(
        [...found].map(([, name]) => name),
        shown,
      )
    }
    await sql`delete from link_previews where preview ->> 'title' = 'Page held'`
    const count = outside.countOf('/held')
    const deleted = await send(held)
    const done = preview()
    await pollUntil('it is asked', () => outside.countOf('/held') > count)
    await owner.must('DELETE', `/messages/${deleted}`, {})
    go()
    await done
    t.equal(await waiting(), 0)
  },
)

t.test('[PREVIEW13] odd servers give no preview and hold nobody', async (t) => {
  const html = { 'content-type': 'text/html' }
  const title = '<title>Odd</title>'
  const inward = new URL(server.node.url)
  const big = Buffer.alloc(3 * 1024 * 1024, ' ')
  const odd: Readonly<Record<string, Parameters<typeof outside.serve>[1]>> = {
    refusing: (_, response) => response.writeHead(403, html).end(title),
    broken: (request) => request.socket.destroy(),
    inward: (_, response) => response.writeHead(302, { location: `${inward.origin}/login` }).end(),
    file: (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    circle: (_, response) => response.writeHead(302, { location: '/odd/circle' }).end(),
    typeless: (_, response) => response.writeHead(200).end(title),
    plain: (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(title),
    pdf: (_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(title),
    svg: (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>'),
    fake: (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('no picture'),
    large: (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.concat([big, big, big])),
    bomb: (_, response) =>
      response
        .writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(24 * 1024 * 1024))),
    empty: (_, response) => response.writeHead(200, html).end(),
    garbled: (_, response) => response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(title),
    encoded: (_, response) => response.writeHead(200, { ...html, 'content-encoding': 'pack200' }).end(title),
  }
  const ids: [string, number][] = []
  for (const [name, answer] of Object.entries(odd))
    ids.push([name, await send(outside.serve(`/odd/${name}`, answer), 'odd')])
  await preview()
  for (const [name, id] of ids) t.equal(cardsIn(await htmlOf(id)), 0, name)
  t.ok(outside.countOf('/odd/circle') <= 6)

  const long = outside.serve('/long', (_, response) => {
    response.writeHead(200, html)
    response.write(title)
    const write = () => {
      while (response.write(big)) if (response.destroyed) return
      response.once('drain', write)
    }
    write()
  })
  const packed = outside.serve('/packed', (_, response) =>
    response
      .writeHead(200, { ...html, 'content-encoding': 'br' })
      .end(brotliCompressSync(Buffer.concat([Buffer.from(title), Buffer.alloc(24 * 1024 * 1024)]))),
  )
  const good = await send(`${long} ${packed}`, 'odd')
  await preview()
  t.equal(cardsIn(await htmlOf(good)), 2, 'the start of an endless page is enough')
})

t.test('[PREVIEW14] a server that hangs or drips is left when its time is over', async (t) => {
  const hanging = outside.serve('/hang', () => {})
  const dripping = outside.serve('/drip', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const timer = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(timer))
  })
  const id = await send(`${hanging} ${dripping}`)
  await preview({ limits: { totalMsMax: 300, firstByteMsMax: 200 } })
  t.equal(cardsIn(await htmlOf(id)), 0)
  t.equal(await waiting(), 0)
})

t.test(
  '[PREVIEW15] a site with oEmbed gives its title, author and picture, and never its HTML',
  async (t) => {
    servePicture('/thumb.png', await picture(320, 180))
    const video = outside.servePage('/watch', '<title>of the page</title>')
    outside.serve('/oembed', (request, response) => {
      t.match(new URL(request.url ?? '', outside.url).searchParams.get('url'), outside.url)
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          title: 'A <video>',
          author_name: 'Somebody',
          thumbnail_url: `${outside.url}/thumb.png`,
          html: '<iframe src="https://evil.test"></iframe>',
        }),
      )
    })
    const providers = [{ hosts: [new URL(outside.url).host], endpoint: `${outside.url}/oembed` }]
    const id = await send(video)
    await preview({ providers })
    const html = await htmlOf(id)
    t.match(html, 'title="A &lt;video&gt;"')
    t.match(html, '<div class="message_embed_description">Somebody</div>')
    t.match(html, PATH)
    t.notMatch(html, 'iframe')
    t.equal(outside.countOf('/watch'), 0)
    for (const [at, answer] of ['{"title": 5}', 'no JSON', 'null', '[]', ''].entries()) {
      outside.serve('/oembed', (_, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
      )
      const other = await send(outside.servePage(`/other/${at}`, '<title>of the page</title>'))
      await preview({ providers })
      t.match(await htmlOf(other), 'title="of the page"', `the page speaks for itself: ${answer}`)
    }
  },
)

t.test('[PREVIEW16] readers of private places get previews, and nobody else', async (t) => {
  const url = outside.servePage('/private', '<title>Private</title>')
  await owner.subscribe(['closed'], {
    principals: [owner.userId],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const events = await expectConsistent(server, async () => {
    await owner.must('POST', '/messages', { type: 'channel', to: 'closed', topic: 'x', content: url })
    await owner.sendDirect([member.userId], `for you ${url}`)
    await preview()
  })
  const updates = (one: 'owner' | 'member' | 'member2' | 'guest') =>
    events[one].filter(({ type }) => type === 'update_message')
  t.equal(updates('owner').length, 2)
  t.equal(updates('member').length, 1)
  t.notOk('stream_id' in (updates('member')[0] ?? {}))
  t.same([updates('member2').length, updates('guest').length], [0, 0])
  // Somebody who comes later has no event, and cannot read what was before.
  await owner.subscribe(['closed'], { principals: [guest.userId] })
  t.ok(guest)
})

t.test('[PREVIEW17] a worker that is killed while it fetches loses nothing', async (t) => {
  let go = false
  const asked = Promise.withResolvers<void>()
  const url = outside.serve('/killed', (_, response) => {
    asked.resolve()
    if (go) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>After all</title>')
  })
  const id = await send(url)
  const worker = startWorkerProcess(t, {
    ...outside.env,
    DATABASE_URL: server.databaseUrl,
    PUBLIC_URL: server.node.url,
  })
  await asked.promise
  await worker.kill()
  const [row] = await sql<{ tries: number; isLate: boolean }[]>`
    select tries, due_at > now() as "isLate" from waiting_previews`
  t.same({ ...row }, { tries: 1, isLate: true }, 'it is claimed, and waits')
  go = true
  await sql`update waiting_previews set due_at = now()` // Its claim expires.
  await preview()
  t.match(await htmlOf(id), 'title="After all"')
})

t.test('[PREVIEW18] a running worker is woken by the commit, and by its first sweep', async (t) => {
  const before = await send(outside.servePage('/sweep', '<title>By the sweep</title>'))
  const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  const shows = (id: number, title: string) =>
    pollUntil(`the card of ${title}`, async () => (await htmlOf(id)).includes(`title="${title}"`))
  t.ok(await shows(before, 'By the sweep'))
  const after = await send(outside.servePage('/woken', '<title>Woken</title>'))
  t.ok(await shows(after, 'Woken'))
  await worker.close() // It would take the work of the next test.
})

t.test(
  '[PREVIEW19] old entries and unused thumbnails are removed, those that messages show stay',
  async (t) => {
    servePicture('/kept.png', await picture(40, 30))
    servePicture('/lost.png', await picture(40, 30))
    const page = (name: string) =>
      outside.servePage(`/${name}`, `<title>${name}</title><meta property="og:image" content="/${name}.png">`)
    const kept = await send(page('kept'))
    const lost = await send(page('lost'))
    await preview()
    const pathOf = async (id: number) => PATH.exec(await htmlOf(id))?.[0] ?? ''
    const [keptPath, lostPath] = [await pathOf(kept), await pathOf(lost)]
    const statuses = () =>
      Promise.all([keptPath, lostPath].map(async (path) => (await fetch(server.node.url + path)).status))
    await owner.must('DELETE', `/messages/${lost}`, {})
    await sql`update pictures set stored_at = now() - interval '3 days'`
    await cleanUp(sql, new Date())
    t.same(await statuses(), [200, 200], 'the cache names both')
    await sql`update link_previews set expires_at = now() - interval '2 days'`
    await cleanUp(sql, new Date())
    t.same(await statuses(), [200, 404])
    t.equal((await sql`select from link_previews`).length, 0)
    for (let at = 0; at < 4; at++) await send(outside.servePage(`/room/${at}`, `<title>${at}</title>`))
    await preview()
    t.equal(await removeOldPreviews(sql, 100, 2), 2, 'those beyond the limit go')
    const old = await send(outside.servePage('/old', '<title>Old</title>'))
    await sql`update waiting_previews set asked_at = now() - interval '2 hours'`
    await preview()
    t.equal(cardsIn(await htmlOf(old)), 0, 'nobody waits for it any more')
    await cleanUp(sql, new Date())
    t.equal(await waiting(), 0)
  },
)

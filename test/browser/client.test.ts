/** The browser client, in a real browser. */

import t from 'tap'
import { buildFiles } from '../../client/build.ts'
import { emailOf } from '../harness/servers/start-server.ts'
import { logInTo, openPage, PASSWORD, startTeam } from './team.ts'

const { server, browser, openAs } = await startTeam(t)

t.test('[CLIENT1] the address of the server shows the organization, and a person logs in', async (t) => {
  const context = await browser.newContext({ baseURL: server.node.url })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto('/')
  await page.getByRole('heading', { name: 'Test Organization' }).waitFor()
  await page.getByLabel('Email address').fill(emailOf('member'))
  t.same(problems, [], 'the first load is without errors')
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await page.getByRole('button', { name: 'Log in' }).click()
  t.equal(await page.getByRole('alert').textContent(), 'Wrong email address or password.')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'You' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('Email address').waitFor()
  const expected = problems.filter((text) => !text.includes('the server responded with a status of 401'))
  t.same(expected, [], 'the policy of the page allows all of it')
  await context.close()
})

t.test(
  '[CLIENT2] the files of the client are compressed, and the page names them by their content',
  async (t) => {
    const page = await fetch(`${server.node.url}/`, { headers: { 'accept-encoding': 'gzip' } })
    t.equal(page.headers.get('content-encoding'), 'gzip')
    t.match(page.headers.get('content-security-policy'), /require-trusted-types-for 'script'/)
    const script = /data-main="(\/app\/main-[a-z0-9]+\.js)"/.exec(await page.text())?.[1] ?? ''
    t.ok(page.headers.get('link')?.includes(`<${script}>; rel=modulepreload`))
    for (const coding of ['br', 'gzip', 'identity']) {
      const file = await fetch(server.node.url + script, { headers: { 'accept-encoding': coding } })
      t.equal(file.headers.get('content-encoding') ?? 'identity', coding)
      t.match(file.headers.get('cache-control'), /immutable/)
      t.equal(file.headers.get('vary'), 'Accept-Encoding')
      t.match(await file.text(), /the page has no place for the client/)
    }
    const again = await fetch(`${server.node.url}/`, {
      headers: { 'if-none-match': page.headers.get('etag') ?? '' },
    })
    t.equal(again.status, 304)
    t.equal((await fetch(`${server.node.url}/app/../package.json`)).status, 404)
    t.equal((await fetch(`${server.node.url}/app/stamp`)).status, 404)
  },
)

t.test('[CLIENT4] the first load stays small: 60 KB of script and 12 KB of style, compressed', async (t) => {
  const { files, first } = await buildFiles()
  const size = (name: string) => {
    const file = files.find((one) => one.name === name)
    return file?.brotli?.length ?? file?.bytes.length ?? 0
  }
  const early = first.find((name) => name.startsWith('early-'))
  t.ok(early && size(early) < 3_400, 'the script that asks first is small')
  const script = first.reduce((sum, name) => sum + size(name), 0)
  const style = size(files.find(({ name }) => name.startsWith('style-'))?.name ?? '')
  t.ok(script > 10_000 && script <= 60_000, `${script} bytes of script`)
  t.ok(style > 1_000 && style <= 12_000, `${style} bytes of style`)
})

t.test(
  '[CLIENT9] the typeface comes after the first view, and only the letters that are shown',
  async (t) => {
    const member = server.as('member')
    await member.subscribe(['letters'])
    await member.send('letters', 'latin', 'Only plain letters')
    const lastId = await member.send('letters', 'greek', 'Αθήνα')
    const page = await openPage(t, browser, server.node.url)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await logInTo(page.context(), 'member')
    const id = (await member.must('GET', '/get_stream_id?stream=letters')).stream_id as number
    await page.goto(`/#narrow/channel/${id}-letters/topic/latin`)
    await page.getByText('Only plain letters').waitFor()
    await page.waitForFunction(() => document.fonts.check('15px Inter', 'a') && document.fonts.size > 1)
    t.ok(await page.evaluate(() => [...document.fonts].some(({ family }) => family.includes('stand-in'))))
    const isFont = (path: string) => path.endsWith('.woff2')
    const firstMessages = asked.findIndex((path) => path.endsWith('/messages'))
    t.ok(firstMessages >= 0 && firstMessages < asked.findIndex((path) => /\/later-\w+\.css$/.test(path)))
    t.ok(
      asked.some((path) => path.includes('/inter-latin-')),
      'the letters of the page',
    )
    t.same(
      asked.filter((path) => isFont(path) && !path.includes('/inter-latin-')),
      [],
      'no others',
    )
    const file = await fetch(server.node.url + asked.find(isFont))
    t.equal(file.headers.get('content-type'), 'font/woff2')
    t.match(file.headers.get('cache-control'), /immutable/)
    const greek = page.waitForRequest(/\/inter-greek-[0-9a-f]+\.woff2$/)
    await page.goto(`/#narrow/channel/${id}-letters/topic/greek/near/${lastId}`)
    await greek
    t.ok(
      await page.evaluate(() =>
        [...document.fonts].some(({ family, weight }) => family === 'Inter' && weight === '100 900'),
      ),
    )
  },
)

t.test('[CLIENT3] two people write to each other, live, and what is read is marked', async (t) => {
  const owner = server.as('owner')
  await owner.must('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'plans' }],
    principals: [owner.userId, server.as('member').userId, server.as('member2').userId],
  })
  const [one, two] = await Promise.all([openAs(t, 'member'), openAs(t, 'member2')])
  await one.getByRole('link', { name: 'plans', exact: true }).click()
  await one.getByLabel('Message', { exact: true }).click()
  await one.getByLabel('Topic', { exact: true }).fill('lunch')
  await one.getByLabel('Message', { exact: true }).fill('Noodles, **today**?')
  await one.keyboard.press('Enter')
  const line = two.getByRole('link', { name: /lunch.*Noodles, today\?/ })
  await line.waitFor()
  await line.click()
  await two.getByRole('log').getByText('Noodles, today?').waitFor()
  t.equal(
    await two.getByRole('log').locator('.rendered strong').first().textContent(),
    'today',
    'it is rendered',
  )
  await two.getByLabel('Message', { exact: true }).fill('Yes, at noon')
  await two.keyboard.press('Enter')
  await one.getByRole('log').getByText('Yes, at noon').waitFor()
  await two.getByRole('link', { name: 'Inbox' }).click()
  await two.getByText('You’re all caught up').waitFor()
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
  })
  const contents = messages.map(({ content }: { content: string }) => content).slice(-2)
  t.same(contents, ['<p>Noodles, <strong>today</strong>?</p>', '<p>Yes, at noon</p>'], 'each was sent once')
})

/** The language of pages: that of the person, of the organization, or of the browser. */

import t from 'tap'
import { readAcceptedLanguages } from '../../server/texts/accepted-languages.ts'
import { drawPage, html, htmlPage } from '../../server/wire/html.ts'
import { ENGLISH, textsIn } from '../../server/texts/texts.ts'
import { pageTextsIn } from '../../server/wire/page-texts.ts'
import { Browser } from '../harness/browser/browser.ts'
import { emailOf, startTestServer } from '../harness/servers/start-server.ts'

const PASSWORD = 'correct horse battery'
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const server = await startTestServer(t)
const { url } = server.node

/** The language of a page, and its title. */
async function open(path: string, acceptLanguage: string, browser = new Browser(url)) {
  const headers = { accept: HTML, 'accept-language': acceptLanguage }
  const answer = await browser.send('GET', path, { headers })
  const [, language, direction] = /<html lang="(\w+)" dir="(\w+)">/.exec(answer.text) ?? []
  t.equal(answer.headers.get('content-language'), language, 'programs learn it, too')
  return { language, direction, title: /<h1>([^<]*)</.exec(answer.text)?.[1], text: answer.text }
}

t.test(
  '[PAGELANG1] without a log-in a page is in the first language of the browser that has texts',
  async (t) => {
    const german = { language: 'de', direction: 'ltr', title: 'Anmelden' }
    const english = { language: 'en', direction: 'ltr', title: 'Log in' }
    for (const [accepted, expected] of [
      ['de-AT,de;q=0.9,en;q=0.8', german],
      ['fr-CA, fr;q=0.9, de;q=0.5', german],
      ['en;q=0.4, de;q=0.7', german],
      ['de;q=0, fr', english],
      ['en-GB,en;q=0.9,de;q=0.8', english],
      ['constructor, *;q=x', english],
      ['', english],
    ] as const)
      t.match(await open('/accounts/login', accepted), expected, accepted)
    t.match(await open('/nothing/here', 'de'), {
      language: 'de',
      title: 'Nicht gefunden',
      text: 'Unter dieser Adresse gibt es keine Seite.',
    })
  },
)

t.test(
  '[PAGELANG2] a person who is logged in gets pages and errors in the language of their settings',
  async (t) => {
    const member = server.as('member')
    const browser = new Browser(url)
    const hash = await server.node.services.passwords.hash(PASSWORD)
    await server.node.services.sql`update users set password_hash = ${hash} where id = ${member.userId}`
    t.equal((await browser.logIn(emailOf('member'), PASSWORD)).status, 200)
    t.match(await open('/accounts/security', 'de', browser), { language: 'en', title: 'Account security' })
    await member.must('PATCH', '/settings', { default_language: 'de' })
    t.match(await open('/accounts/security', 'en', browser), {
      language: 'de',
      title: 'Sicherheit des Kontos',
    })
    t.match(await open('/nothing/here', 'en', browser), { language: 'de', title: 'Nicht gefunden' })
    await member.must('PATCH', '/settings', { default_language: 'fr' })
    t.match(await open('/accounts/security', 'de', browser), { language: 'de' }, 'French has no texts')
  },
)

t.test('[PAGELANG3] an organization that has chosen a language has its pages in it', async (t) => {
  const owner = server.as('owner')
  await owner.must('PATCH', '/realm', { default_language: 'de' })
  t.match(await open('/accounts/login', 'en'), { language: 'de' })
  await owner.must('PATCH', '/realm', { default_language: 'fr' })
  t.match(await open('/accounts/login', 'en'), { language: 'en' }, 'French has no texts')
  await owner.must('PATCH', '/realm', { default_language: 'en' })
  t.match(await open('/accounts/login', 'de'), { language: 'de' })
})

t.test('[PAGELANG4] a refused form explains itself in the language of its page', async (t) => {
  const answer = await new Browser(url).send('POST', '/accounts/login', {
    fields: { username: 'nobody@example.com', password: 'x'.repeat(9) },
    headers: { accept: HTML, 'accept-language': 'de' },
  })
  t.equal(answer.status, 403)
  t.match(answer.text, 'Falsche E-Mail-Adresse oder falsches Passwort.')
  const long = await new Browser(url).send('POST', '/accounts/login', {
    fields: { username: 'x'.repeat(1_000), password: 'x' },
    headers: { accept: HTML, 'accept-language': 'de' },
  })
  t.match(long.text, /„E-Mail-Adresse“ ist zu lang \(höchstens \d+ Zeichen\)/)
  const missing = await new Browser(url).send('POST', '/accounts/login', {
    fields: { username: 'x' },
    headers: { accept: HTML, 'accept-language': 'de' },
  })
  t.match(missing.text, '„Passwort“ fehlt.')
})

t.test('[PAGELANG5] a list of accepted languages is read up to a limit, by its qualities', async (t) => {
  t.same(readAcceptedLanguages('da, en-gb;q=0.8, en;q=0.7'), ['da', 'en-gb', 'en'])
  t.same(readAcceptedLanguages('a;q=0.1;x=1, b ; Q=0.2,, c;q=nonsense, d;q=0'), ['b', 'a'])
  t.equal(readAcceptedLanguages(Array(5_000).fill('xx').join(',')).length, 20)
  t.same(readAcceptedLanguages(''), [])
})

t.test(
  '[PAGELANG6] a page runs in the direction of its language, and its values are no markup',
  async (t) => {
    const hebrew = { ...ENGLISH, language: 'he', direction: 'rtl' } as const
    t.match(drawPage(htmlPage(200, 'x', html`x`), hebrew).body, '<html lang="he" dir="rtl">')
    t.equal(textsIn('he').language, 'en', 'a language without a catalogue is not chosen')
    const { markup } = pageTextsIn('de')
    const wrap = (inside: ReturnType<typeof html>) => html`<b>${inside}</b>`
    const email = '<0>x</0><script>'
    t.equal(
      markup('We sent a link to <0>{email}</0>.', { email }, [wrap]).text,
      'Wir haben einen Link an <b>&lt;0&gt;x&lt;/0&gt;&lt;script&gt;</b> geschickt.',
    )
  },
)

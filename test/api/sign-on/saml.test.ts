/** Log-ins by SAML, with answers that the test signs as identity providers do. */

import t, { type Test } from 'tap'
import { readConfig } from '../../../server/config.ts'
import { ROLES } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { Browser, type BrowserAnswer } from '../../harness/browser/browser.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { OTHER, PROVIDER } from '../../harness/sign-on/saml-keys.ts'
import {
  answerXml,
  beginSaml,
  postSaml,
  returnSaml,
  SAML_SETTINGS,
  signOnSaml,
} from '../../harness/sign-on/saml-provider.ts'
import { PUBLIC_URL } from '../../harness/sign-on/start-login-provider.ts'

const clock = new ManualClock()
const provider = {
  ...SAML_SETTINGS,
  certificates: [PROVIDER.certificate, OTHER.certificate],
  accounts: 'anyone',
  groups: 'memberOf',
  roles: { admins: 'administrator' },
}
const stranger = {
  ...SAML_SETTINGS,
  name: 'stranger',
  entity_id: 'https://other.example.com',
  certificates: OTHER.certificate,
}
const env = {
  PUBLIC_URL,
  SAML_PROVIDERS: JSON.stringify([{ ...provider, certificates: PROVIDER.certificate }, stranger]),
}
const server = await startTestServer(t, { clock, env })
const { url, services } = server.node
const MEMBER = { attributes: { email: emailOf('member'), displayName: 'The member' }, nameId: 'm-1' }
const userOf = async (browser: Browser): Promise<number | undefined> =>
  (await browser.send('GET', '/json/users/me')).body.user_id

/** Checks that an answer logs nobody in. */
function expectPage(t: Test, answer: BrowserAnswer, wanted: number, name: string) {
  t.equal(answer.status, wanted, name)
  t.notOk(
    answer.headers.getSetCookie().some((cookie) => cookie.startsWith('sessionid=')),
    name,
  )
}

t.test('[SAML1] the first log-in joins or makes an account; the next finds it by its id', async (t) => {
  const browser = new Browser(url)
  const answer = await signOnSaml(browser, MEMBER, { next: '/docs?a=1' })
  t.same([answer.status, answer.headers.get('location')], [303, '/docs?a=1'])
  t.equal(await userOf(browser), 4)
  const later = new Browser(url)
  await signOnSaml(later, { ...MEMBER, attributes: { email: 'else@example.com' } })
  t.equal(await userOf(later), 4, 'whatever the address is now')
  const newcomer = new Browser(url)
  const attributes = { email: 'new@example.com', displayName: 'Néw <One>', memberOf: ['others', 'admins'] }
  await signOnSaml(newcomer, { nameId: 'n-1', attributes })
  const user = services.state.getUser((await userOf(newcomer)) as UserId)
  t.match(user, { email: 'new@example.com', role: ROLES.administrator })
  await signOnSaml(newcomer, { nameId: 'n-1', attributes: { ...attributes, memberOf: 'others' } })
  t.equal(services.state.getUser(user.id).role, ROLES.member, 'roles follow the groups')
})

t.test('[SAML2] pages and apps find the provider, and it finds the description of this server', async (t) => {
  const page = await new Browser(url).send('GET', '/accounts/login', { fields: { next: '/docs' } })
  t.match(page.text, 'href="/accounts/login/saml/company?next=%2Fdocs">Log in with The company</a>')
  const settings = await server.anyone.must('GET', '/server_settings')
  t.equal(settings.authentication_methods['saml'], true)
  t.match(settings.external_authentication_methods[0], {
    name: 'saml:company',
    display_name: 'The company',
    login_url: '/accounts/login/saml/company',
  })
  const { status, text, headers } = await new Browser(url).send(
    'GET',
    '/accounts/login/saml/company/metadata',
  )
  t.equal(status, 200)
  t.match(headers.get('content-type'), 'application/samlmetadata+xml')
  t.match(text, `entityID="${PUBLIC_URL}/accounts/login/saml/company/metadata"`)
  t.match(text, `Location="${PUBLIC_URL}/accounts/login/saml/company/answer"`)
  t.match(text, 'WantAssertionsSigned="true"')
  for (const [method, path, wanted] of [
    ['GET', 'company/answer', 405],
    ['POST', 'company/done', 405],
    ['GET', 'nobody', 404],
    ['GET', 'company/elsewhere', 404],
  ] as const)
    t.equal((await new Browser(url).send(method, `/accounts/login/saml/${path}`)).status, wanted, path)
})

t.test(
  '[SAML3] both signatures are wanted, and nothing of another provider, audience or time counts',
  async (t) => {
    const wrong = {
      'only the response signed': { signs: ['response'] },
      'only the assertion signed': { signs: ['assertion'] },
      'nothing signed': { signs: [] },
      'the key of a stranger': { key: OTHER.key },
      'another provider': { issuer: 'https://other.example.com' },
      'another audience': { audience: 'https://elsewhere.example.com' },
      'no conditions': { lacks: 'conditions' },
      'another address': { recipient: 'https://elsewhere.example.com/answer' },
      'no confirmation': { lacks: 'confirmation' },
      'too late': { seconds: -120 },
      'another request': { inResponseTo: '_another' },
      'no request': { inResponseTo: '' },
      'an id of one log-in': { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    } as const
    for (const [name, answer] of Object.entries(wrong)) {
      const browser = new Browser(url)
      expectPage(t, await signOnSaml(browser, { ...MEMBER, ...answer }), 403, name)
      t.equal(await userOf(browser), undefined)
    }
  },
)

t.test('[SAML4] an answer that was changed, wrapped or extended is refused', async (t) => {
  const wrap = (xml: string) => {
    const assertion = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
    const evil = assertion
      .replace(/<Signature.*<\/Signature>/s, '')
      .replace('ID="_assertion"', 'ID="_evil"')
      .replaceAll('m-1', 'owner')
    return { assertion, evil }
  }
  const changes: Record<string, (xml: string) => string> = {
    'another name': (xml) => xml.replace('>m-1<', '>m-2<'),
    'another address': (xml) => xml.replace(emailOf('member'), emailOf('owner')),
    'an assertion before the signed one': (xml) =>
      xml.replace('<saml:Assertion', `${wrap(xml).evil}<saml:Assertion`),
    'an assertion after it': (xml) => xml.replace('</samlp:Response>', `${wrap(xml).evil}</samlp:Response>`),
    'the signed one inside another': (xml) =>
      xml.replace(
        wrap(xml).assertion,
        wrap(xml).evil.replace('</saml:Assertion>', `${wrap(xml).assertion}</saml:Assertion>`),
      ),
    'the signed response inside another': (xml) =>
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_outer" InResponseTo="${/InResponseTo="([^"]+)"/.exec(xml)?.[1]}">${wrap(xml).evil}${xml}</samlp:Response>`,
    'a document type': (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`,
    'no XML': () => 'no XML',
    nothing: () => '',
  }
  for (const [name, change] of Object.entries(changes)) {
    const browser = new Browser(url)
    const request = await beginSaml(browser)
    const answer = await returnSaml(browser, change(answerXml(request, MEMBER)), request.state)
    expectPage(t, answer, 403, name)
    t.equal(await userOf(browser), undefined)
  }
  const browser = new Browser(url)
  await signOnSaml(browser, { ...MEMBER, nameId: 'm-1<!-- a comment -->.evil' })
  const user = await userOf(browser)
  t.not(user, 4, 'a comment does not cut a name')
})

t.test('[SAML5] an answer counts once, and only in the browser that began', async (t) => {
  const browser = new Browser(url)
  const request = await beginSaml(browser)
  const xml = answerXml(request, MEMBER)
  const posted = await postSaml(browser, xml, request.state)
  const next = posted.headers.get('location') ?? ''
  t.match(next, /^\/accounts\/login\/saml\/company\/done\?/)
  t.same(posted.headers.getSetCookie(), [], 'the post of another site touches no session')
  t.notMatch(decodeURIComponent(next), emailOf('member'))
  expectPage(t, await new Browser(url).send('GET', next), 400, 'another browser')
  t.equal((await browser.send('GET', next)).status, 303)
  expectPage(t, await browser.send('GET', next), 400, 'the same page again')
  expectPage(t, await returnSaml(browser, xml, request.state), 400, 'the same answer again')
  const second = await beginSaml(browser)
  expectPage(t, await returnSaml(browser, xml, second.state), 403, 'the same answer to another request')
  expectPage(
    t,
    await returnSaml(browser, answerXml(second, MEMBER), ''),
    400,
    'an answer that nobody asked for',
  )
  const late = await postSaml(browser, answerXml(second, MEMBER), second.state)
  clock.advance(60_001)
  expectPage(t, await browser.send('GET', late.headers.get('location') ?? ''), 400, 'a minute later')
})

t.test('[SAML6] a log-in at one provider is none at another', async (t) => {
  const browser = new Browser(url)
  const request = await beginSaml(browser)
  const xml = answerXml(request, { ...MEMBER, key: OTHER.key, issuer: stranger.entity_id })
  const fields = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: request.state }
  const answer = await browser.send('POST', '/accounts/login/saml/stranger/answer', { fields })
  expectPage(t, answer, 403, 'the audience is that of the first')
})

t.test('[SAML7] the next page is one of this server', async (t) => {
  const browser = new Browser(url)
  const answer = await signOnSaml(browser, MEMBER, { next: 'https://evil.example.com/' })
  t.equal(answer.headers.get('location'), '/')
})

t.test('[SAML8] wrong settings are refused, and two certificates are taken', async (t) => {
  const read = (value: unknown) => readConfig({ SAML_PROVIDERS: JSON.stringify(value) }).samlProviders
  t.equal(read([provider])[0]?.certificates.length, 2)
  const bare = PROVIDER.certificate.replaceAll(/-----.*-----|\s/g, '')
  t.same(read([{ ...provider, certificates: bare }])[0]?.certificates, [`${PROVIDER.certificate}\n`])
  t.same(readConfig({}).samlProviders, [])
  for (const [value, message] of [
    ['x', /^SAML_PROVIDERS must be a JSON list/],
    [[{ ...provider, name: 'A' }], /must have a name of lower-case/],
    [[{ ...provider, url: 'http://idp.example.com/' }], /must have a url that starts with https/],
    [[{ ...provider, certificates: 'none' }], /must have certificates in PEM/],
    [[{ ...provider, certificates: [] }], /must have a list of 1 to/],
    [[{ ...provider, entity_id: undefined }], /must have entity_id/],
    [[{ ...provider, groups: undefined }], /must have groups together with roles/],
    [[{ ...provider, accounts: 'everyone' }], /must have one of invited/],
    [[{ ...provider, more: 1 }], /must not have 'more'/],
    [[provider, provider], /must not have two providers/],
  ] as const)
    t.throws(() => read(value), { name: 'ConfigError', message })
})

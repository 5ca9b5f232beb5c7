/** New users of every kind get the organization's choice of a picture. */

import t, { type Test } from 'tap'
import { Browser } from '../../harness/browser/browser.ts'
import { joinByLink } from '../../harness/mail/join-by-link.ts'
import { openMailboxes } from '../../harness/mail/mailbox.ts'
import { signOn } from '../../harness/sign-on/sign-on.ts'
import { PUBLIC_URL, startLoginProvider } from '../../harness/sign-on/start-login-provider.ts'
import { startMailServer } from '../../harness/mail/start-mail-server.ts'
import { startMailWorkers } from '../../harness/mail/start-mail-workers.ts'
import { startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { runEntry } from '../../start/run-entry.ts'

const mailServer = await startMailServer(t)
const server = await startTestServer(t, { env: { ...mailServer.env, GRAVATAR: 'on' } })
await startMailWorkers(t, server)
const mailboxes = openMailboxes(mailServer, server)
const owner = server.as('owner')
const SOURCES = [
  ['J', /^\/user_avatars\/1\/drawn\//],
  ['G', /^https:\/\/secure\.gravatar\.com\//],
] as const

const choose = (source: string, at: TestServer = server) =>
  at.as('owner').must('PATCH', '/realm', { default_avatar_source: source })

/** Checks the picture of the user who came last. */
async function expectNewest(t: Test, name: string, url: RegExp, at: TestServer = server) {
  const { members } = await at.as('owner').must('GET', '/users', { client_gravatar: false })
  const newest = members.find(({ full_name }) => full_name === name)
  t.match(newest?.avatar_url, url, name)
}

t.test('[PICSOURCE10] users whom administrators create, and bots, get the chosen source', async (t) => {
  for (const [source, url] of SOURCES) {
    await choose(source)
    await owner.must('POST', '/users', {
      email: `created${source}@example.com`,
      full_name: `Created ${source}`,
      password: 'correct horse battery',
    })
    await expectNewest(t, `Created ${source}`, url)
    await server.as('member').must('POST', '/bots', {
      full_name: `Helper ${source}`,
      short_name: `helper-${source}`,
    })
    await expectNewest(t, `Helper ${source}`, url)
  }
})

t.test('[PICSOURCE11] users who join by an invitation get the chosen source', async (t) => {
  const { invite_link } = await owner.must('POST', '/invites/multiuse')
  for (const [source, url] of SOURCES) {
    await choose(source)
    const { status } = await joinByLink(mailboxes, invite_link, {
      full_name: `Joined ${source}`,
      email: `joined${source}@example.com`.toLowerCase(),
      password: 'correct horse',
    })
    t.equal(status, 303)
    await expectNewest(t, `Joined ${source}`, url)
  }
})

t.test('[PICSOURCE12] users of the admin command line get the chosen source', async (t) => {
  for (const [source, url] of SOURCES) {
    await choose(source)
    const { code, stderr } = await runEntry(t, 'server/admin/main.ts', { DATABASE_URL: server.databaseUrl }, [
      'user',
      'create',
      '--email',
      `cli${source}@example.com`,
      '--name',
      `Typed ${source}`,
      '--role',
      'member',
    ])
    t.equal(code, 0, stderr)
    await pollUntil('the server has the user', async () => {
      const { members } = await owner.must('GET', '/users')
      return members.some(({ full_name }) => full_name === `Typed ${source}`)
    })
    await expectNewest(t, `Typed ${source}`, url)
  }
})

t.test('[PICSOURCE13] users who come by a provider of log-ins get the chosen source', async (t) => {
  const provider = await startLoginProvider(t)
  const settings = { ...provider.settings, accounts: 'anyone' }
  const reached = await startTestServer(t, {
    env: { PUBLIC_URL, OIDC_PROVIDERS: JSON.stringify([settings]), GRAVATAR: 'on' },
  })
  for (const [source, url] of SOURCES) {
    await choose(source, reached)
    const email = `signed${source}@example.com`.toLowerCase()
    provider.people.set(source, { email, email_verified: true, name: `Signed ${source}` })
    await signOn(new Browser(reached.node.url), provider, source)
    await expectNewest(t, `Signed ${source}`, url, reached)
  }
})

t.test("[PICSOURCE14] the server's own bot gets the chosen source", async (t) => {
  for (const [source, url] of SOURCES) {
    const one = await startTestServer(t, { env: { GRAVATAR: 'on' } })
    await choose(source, one)
    const member = one.as('member')
    await member.subscribe(['old'])
    const id = await member.send('old', 'topic', 'hello')
    await one.as('owner').must('PATCH', `/messages/${id}`, { topic: 'moved' })
    const bot = one.node.services.state.findSystemBot()
    t.ok(bot)
    const { state } = await one.as('owner').register({ client_gravatar: false })
    t.match(state.cross_realm_bots, [{ user_id: bot?.id, avatar_url: url }], source)
  }
})

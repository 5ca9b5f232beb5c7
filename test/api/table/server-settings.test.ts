import t from 'tap'
import { VERSION } from '../../../server/measures/version.ts'
import { Client } from '../../harness/client/client.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const METHODS = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  apple: false,
  google: false,
  saml: false,
  'openid connect': false,
}

const BROWSER = {
  name: 'browser',
  display_name: 'your browser',
  display_icon: null,
  login_url: '/accounts/login',
  signup_url: '/accounts/login',
}

function expected(url: string) {
  return {
    result: 'success',
    msg: '',
    authentication_methods: METHODS,
    external_authentication_methods: [BROWSER],
    service_version: '12.1',
    service_merge_base: '12.1',
    service_feature_level: 500,
    parley_version: VERSION,
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: url,
    realm_uri: url,
    realm_name: 'Test Organization',
    realm_icon: '/static/images/organization.png',
    realm_description: '<p>For <em>tests</em></p>',
    realm_web_public_access_enabled: false,
  }
}

t.test('[SETT1] anyone can read the server settings, with right, wrong or no credentials', async (t) => {
  const server = await startTestServer(t)
  const wanted = {
    ...expected(server.node.url),
    zulip_version: '12.1',
    zulip_merge_base: '12.1',
    zulip_feature_level: 500,
  }
  t.same(await server.anyone.must('GET', '/server_settings'), wanted)
  t.same(await server.as('owner').must('GET', '/server_settings'), wanted)
  const wrong = new Client(server.node.url, 0, 'nobody@example.com', 'x')
  t.same(await wrong.must('GET', '/server_settings'), wanted)
  for (const authorization of ['Basic', 'Basic ???', 'Bearer x', 'Basic eA==']) {
    const { status } = await server.anyone.request('GET', '/server_settings', {}, { authorization })
    t.equal(status, 200)
  }
})

t.test('[SETT2] without aliases only neutral names are sent, under the public address', async (t) => {
  const env = { CLIENT_ALIASES: 'off', PUBLIC_URL: 'https://chat.example.com/' }
  const server = await startTestServer(t, { env })
  t.same(await server.anyone.must('GET', '/server_settings'), expected('https://chat.example.com'))
})

/** The fixtures of each integration have all that it handles: a payload for each event, and one of an event that it ignores. */

import t from 'tap'
import type { Integration } from '../../server/integrations/integration.ts'
import { INTEGRATIONS } from '../../server/integrations/table.ts'
import { ARRIVAL_SECONDS, FIXTURES, type Fixture } from './fixtures.ts'
import { bodyOf } from './send-webhook.ts'

/** Integrations that post all that their senders have. */
const POST_ALL = ['alertmanager', 'grafana', 'prometheus', 'uptimekuma']

/** The event of a fixture, as its integration names it, and whether it is posted. */
function readFixture(integration: Integration, fixture: Fixture) {
  const { raw, payload } = fixture
  const body = bodyOf(raw === undefined ? { payload } : { raw, payload })
  const headers = new Headers(fixture.headers)
  const found = integration.read({
    payload: integration.takes === 'json' ? JSON.parse(body) : body,
    body: Buffer.from(body),
    header: (name) => headers.get(name) ?? '',
    now: ARRIVAL_SECONDS,
  })
  return 'unsupported' in found
    ? { event: found.unsupported, isPosted: false }
    : { event: found.event, isPosted: true }
}

t.test('[HOOKIN18] each event of an integration has a fixture, and so has one that it ignores', (t) => {
  for (const integration of INTEGRATIONS.values()) {
    const { name, events } = integration
    const found = (FIXTURES.get(name) ?? []).map((fixture) => readFixture(integration, fixture))
    const posted = new Set(found.filter(({ isPosted }) => isPosted).map(({ event }) => event))
    const expected = events.length === 0 ? [''] : events
    t.same([...posted].sort(), [...expected].sort(), `${name}: a fixture for each event`)
    const ignored = found.filter(({ isPosted }) => !isPosted)
    const mayIgnore = events.length > 0 && !POST_ALL.includes(name)
    t.equal(ignored.length > 0, mayIgnore, `${name}: a fixture for an event that it ignores`)
  }
  t.end()
})

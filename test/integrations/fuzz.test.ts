/**
 * Payloads that lack anything, or have it in another form: an integration reads them, or says that it cannot. The seed is
 * printed; `PARLEY_TEST_SEED=n` repeats its payloads.
 */

import { randomInt } from 'node:crypto'
import t from 'tap'
import type { Integration } from '../../server/integrations/integration.ts'
import { UnreadablePayload } from '../../server/integrations/payload.ts'
import { fitContent, fitTopic } from '../../server/integrations/shorten.ts'
import { INTEGRATIONS } from '../../server/integrations/table.ts'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { randomNumbers } from '../events/make-random.ts'
import { SAMPLE } from '../markdown/sample.ts'
import { ARRIVAL_SECONDS, FIXTURES, type Fixture } from './fixtures.ts'

const SEED = Number(process.env['PARLEY_TEST_SEED'] ?? randomInt(2 ** 31))
/** Mutated payloads of each fixture. */
const MUTATIONS = 40
const ODDITIES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  [],
  {},
  [null],
  [[]],
  { length: 3 },
  '@**all** @*support* @_**Sam|33**',
  ']( https://evil.example) [a](https://evil.example)',
  '```\n~~~quote\n````',
  '`'.repeat(50),
  '\0\u202e\ud800\n\n# x\n> y',
  'x'.repeat(20_000),
  '😀'.repeat(3_000),
  'https://evil.example/)[x](https://evil.example',
  '0001-01-01T00:00:00Z',
  '__proto__',
  'toString',
]

const random = randomNumbers(SEED)
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

/** Replaces or removes one or a few of the values. */
function mutate(value: unknown): unknown {
  const copy: unknown = structuredClone(value)
  if (random() < 0.05) return structuredClone(pick(ODDITIES))
  for (let count = 0; count < 1 + random() * 4; count++) change(copy)
  return copy
}

function change(root: unknown): void {
  let [place, depth] = [root, 0]
  for (;;) {
    if (typeof place !== 'object' || place === null) return
    const keys = Object.keys(place)
    if (keys.length === 0) return
    const key = pick(keys)
    const parts = place as Record<string, unknown>
    const inner = parts[key]
    if (typeof inner === 'object' && inner !== null && random() < 0.8 && depth++ < 20) {
      place = inner
      continue
    }
    if (random() < 0.3 && !Array.isArray(place)) delete parts[key]
    else parts[key] = structuredClone(pick(ODDITIES)) // A shared one could contain itself.
    return
  }
}

function read(integration: Integration, { headers = {} }: Fixture, payload: unknown) {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const header = (name: string) => sent.get(name) ?? ''
  const delivery = { payload, body: new Uint8Array(), header, now: ARRIVAL_SECONDS }
  integration.deliveryId?.(delivery)
  return integration.read(delivery)
}

t.test('[HOOKIN20] no payload breaks an integration, and no message mentions anybody', async (t) => {
  t.comment(`PARLEY_TEST_SEED=${SEED}`)
  let [posted, unreadable] = [0, 0]
  for (const [name, fixtures] of FIXTURES) {
    const integration = INTEGRATIONS.get(name) as Integration
    for (const fixture of fixtures) {
      for (let count = 0; count < MUTATIONS; count++) {
        const payload = mutate(fixture.payload)
        try {
          const found = read(integration, fixture, payload)
          if ('unsupported' in found) continue
          posted++
          check(found.topic, found.content)
        } catch (error) {
          if (!(error instanceof UnreadablePayload))
            throw new Error(`${name}, ${fixture.title}: ${JSON.stringify(payload)}`, { cause: error })
          unreadable++
        }
      }
    }
  }
  t.ok(posted > unreadable && unreadable > 0, `${posted} posted, ${unreadable} unreadable`)
})

function check(topic: string, content: string): void {
  const fitted = fitTopic(topic)
  if (Array.from(fitted).length > 60 || /\p{Cc}/u.test(fitted)) throw new Error(`the topic ${fitted}`)
  const text = fitContent(content)
  if (Array.from(text).length > 10_000) throw new Error('the content is too long')
  const { mentionedUserIds, mentionedGroupIds, forbiddenGroupIds, wildcards } = renderMarkdown(text, SAMPLE)
  const mentions = [...mentionedUserIds, ...mentionedGroupIds, ...forbiddenGroupIds, ...wildcards]
  if (mentions.length > 0) throw new Error(`mentions in ${text}`)
}

/** Writing: completion, formatting and times, as pure functions. */

import t from 'tap'
import type { State } from '../../client/store/apply.ts'
import { countMentioned, topicRuleOf } from '../../client/store/composing/check-message.ts'
import { type EditName, editText } from '../../client/store/composing/edit-text.ts'
import { findMentions } from '../../client/store/composing/find-mentions.ts'
import { findTrigger } from '../../client/store/composing/find-trigger.ts'
import { sendTimes } from '../../client/store/composing/send-times.ts'
import { suggestChannels, suggestTopics } from '../../client/store/composing/suggest-others.ts'
import { suggestPeople } from '../../client/store/composing/suggest-people.ts'
import { startTestServer } from '../harness/servers/start-server.ts'

/** The text stands before the cursor `|`. */
const triggerAt = (marked: string) => findTrigger(marked.replace('|', ''), marked.indexOf('|'))

t.test('[WRITE21] a word is completed only where the server reads its sign', async (t) => {
  t.match(triggerAt('Hi @an|'), { kind: 'people', query: 'an', start: 3 })
  t.match(triggerAt('(@_an|)'), { kind: 'people', query: 'an', isSilent: true })
  t.match(triggerAt('@Anna Li|'), { kind: 'people', query: 'Anna Li' })
  t.match(triggerAt('#de|'), { kind: 'channel', query: 'de' })
  t.match(triggerAt('#design>ic|'), { kind: 'topic', channel: 'design', query: 'ic' })
  t.match(triggerAt('#**design>ic|'), { kind: 'topic', channel: 'design', query: 'ic' })
  t.match(triggerAt('well :ta|'), { kind: 'emoji', query: 'ta' })
  t.match(triggerAt('/po|'), { kind: 'command', query: 'po' })
  for (const none of [
    'a@b|',
    '@**Anna** x|',
    '@ a|',
    'at 10:30|',
    'a /po|',
    '@an\nnext|',
    ':|',
    ': a|',
    'plain|',
  ])
    t.equal(triggerAt(none), undefined, none)
})

/** The selection stands between `[` and `]`. */
function edited(name: EditName, marked: string): string {
  const start = marked.indexOf('[')
  const end = marked.indexOf(']') - 1
  const text = marked.replace('[', '').replace(']', '')
  const edit = editText(name, { text, start, end })
  const next = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  return `${next.slice(0, edit.start)}[${next.slice(edit.start, edit.end)}]${next.slice(edit.end)}`
}

t.test('[WRITE22] the toolbar formats the selection, and a second use of bold takes it back', async (t) => {
  t.equal(edited('bold', 'a [b] c'), 'a **[b]** c')
  t.equal(edited('bold', 'a **[b]** c'), 'a [b] c')
  t.equal(edited('italic', 'a **[b]** c'), 'a ***[b]*** c')
  t.equal(edited('code', 'a [b]'), 'a `[b]`')
  t.equal(edited('code', 'x[a\nb]'), 'x\n```\n[a\nb]\n```\n')
  t.equal(edited('code', '[a\n```\nb]'), '````\n[a\n```\nb]\n````\n')
  t.equal(edited('link', '[https://example.com]'), '[[]](https://example.com)')
  t.equal(edited('bullets', 'x\n[a\nb]'), 'x\n[- a\n- b]')
  t.equal(edited('bullets', '[- a\n- b]'), '[a\nb]')
  t.equal(edited('numbers', '[a\nb]'), '[1. a\n2. b]')
  t.equal(edited('quote', 'a[]'), '> a[]')
  t.equal(edited('spoiler', '[a]'), '```spoiler \n[a]\n```\n')
})

t.test('[WRITE23] times to send later lie ahead, and each is offered once', async (t) => {
  for (const now of ['2026-11-23T08:00', '2026-11-23T18:30', '2026-11-22T12:00', '2026-12-31T23:59']) {
    const nowMs = new Date(now).getTime()
    const times = sendTimes(nowMs)
    t.ok(times.length >= 2, now)
    t.ok(times.every(({ atMs }) => atMs > nowMs))
    t.equal(new Set(times.map(({ atMs }) => atMs)).size, times.length)
  }
})

t.test('[WRITE24] mentions and links of completion are those that the server renders', async (t) => {
  const server = await startTestServer(t)
  const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
  await owner.must('PATCH', `/users/${member2.userId}`, { full_name: 'Twin' })
  await owner.must('PATCH', `/users/${member.userId}`, { full_name: 'Twin' })
  await owner.subscribe(['general'])
  const registered = await owner.register({
    fetch_event_types: ['realm', 'realm_user', 'realm_user_groups', 'subscription'],
    client_capabilities: { user_settings_object: true },
  })
  const state = registered.state as unknown as State
  const place = { type: 'channel', channelId: state.subscriptions?.[0]?.stream_id ?? 0, topic: 'x' } as const
  const render = async (content: string): Promise<string> =>
    (await owner.must('POST', '/messages/render', { content })).rendered
  const twins = suggestPeople(state, { query: 'twi', isSilent: false, place })
  t.equal(twins.length, 2)
  const rendered = await Promise.all(twins.map(({ insert }) => render(insert)))
  t.same(
    new Set(rendered.map((html) => Number(/data-user-id="(\d+)"/.exec(html)?.[1]))),
    new Set([member.userId, member2.userId]),
    'people of one name are distinguished by their ids',
  )
  const all = suggestPeople(state, { query: 'all', isSilent: false, place })
  t.match(await render(all.at(-1)?.insert ?? ''), /channel-wildcard-mention/)
  const [silent] = suggestPeople(state, { query: 'twi', isSilent: true, place })
  t.match(await render(silent?.insert ?? ''), /user-mention silent/)
  const [channel] = suggestChannels(state, 'gen')
  t.match(await render(channel?.insert ?? ''), /data-stream-id/)
  for (const name of ['up > down', 'st*rs *', 'tick`']) {
    await owner.subscribe([name])
    const now = (await owner.register()).state as unknown as State
    const insert = suggestChannels(now, name)[0]?.insert ?? ''
    const found = now.streams?.find((one) => one.name === name)
    const html = await render(insert)
    t.match(html, `/#narrow/channel/${found?.stream_id}`, name)
    t.equal(html.replaceAll(/<[^>]+>/g, ''), `#${name.replace('>', '&gt;')}`)
  }
  const names = ['ΝΙΚΟΣ', 'Łukasz Wójcik', 'Straße', 'Ærø', 'another']
  for (const [query, name] of [
    ['νίκος', 'ΝΙΚΟΣ'],
    ['νικοσ', 'ΝΙΚΟΣ'],
    ['wojcik', 'Łukasz Wójcik'],
    ['LUKASZ', 'Łukasz Wójcik'],
    ['strase', 'Straße'],
    ['aro', 'Ærø'],
  ] as const)
    t.same(
      suggestTopics('general', names, query).map(({ label }) => label),
      [name],
      query,
    )
  const [topic] = suggestTopics('general', ['lunch'], 'lu')
  t.match(await render(topic?.insert ?? ''), /general &gt; lunch/)
})

t.test('[WRITE25] a mention of everybody in a large channel is asked about, outside of code', async (t) => {
  const channel = { stream_id: 1, subscriber_count: 40, topics_policy: 'inherit' }
  const state = { streams: [channel], realm_topics_policy: 'disable_empty_topic' } as never
  const place = { type: 'channel', channelId: 1, topic: 'x' } as const
  t.equal(countMentioned(state, place, 'Hello @**all**'), 40)
  for (const none of ['Write `@**all**`', '```quote\n@**all**\n```', '~~~\n@**all**\n~~~'])
    t.equal(countMentioned(state, place, none), undefined, none)
  t.equal(countMentioned(state, place, '```spoiler @**all**\nsecret\n```'), 40)
  t.equal(countMentioned(state, place, 'Hello @**Anna**'), undefined)
  t.equal(countMentioned(state, { type: 'direct', userIds: [2] }, '@**all**'), undefined)
  t.equal(topicRuleOf(state, 1), 'needed')
})

t.test(
  '[WRITE39] mentions of people, groups and channels that the writer knows are found in a text',
  async (t) => {
    const server = await startTestServer(t)
    await server.as('owner').subscribe(['plans'])
    const state = (await server.as('owner').must('POST', '/register', {})) as unknown as State
    const mentionsIn = (text: string) => {
      const pieces = findMentions(state, text)
      t.equal(pieces.map((one) => one.text).join(''), text, 'no letter is lost')
      return pieces.filter(({ isMention }) => isMention).map((one) => one.text)
    }
    t.same(mentionsIn('Hi @**The owner**, see #**plans** and #**Plans>may day**.'), [
      '@**The owner**',
      '#**plans**',
      '#**Plans>may day**',
    ])
    t.same(mentionsIn('@_**the owner|1** @**all** @**topic**'), [
      '@_**the owner|1**',
      '@**all**',
      '@**topic**',
    ])
    t.same(mentionsIn('@*role:members* @_*role:members*'), ['@*role:members*', '@_*role:members*'])
    for (const none of [
      '@**Nobody**',
      '@*nobody*',
      '#**nowhere**',
      '@The owner',
      '@**The\nowner**',
      '**The owner**',
      '',
    ])
      t.same(mentionsIn(none), [], none)
    for (const [code, count] of [
      ['`@**all**`', 0],
      ['``@**all**`` @**topic**', 1],
      ['```@**all**``` @**topic**', 1],
      ['a ` b @**all**', 1],
      ['```\n@**all**\n', 0],
      ['```py\n@**all**\n````\n@**all**\n```\n@**topic**', 1],
      ['~~~\n```\n@**all**\n~~~\n@**topic**', 1],
      ['- a\n  ```\n  @**all**\n  ```\n@**topic**', 1],
      ['```quote\n@**all**\n~~~\n@**all**\n~~~\n@**topic**\n```\n@**topic**', 3],
      ['```spoiler for @**topic**\n`@**all**` @**topic**\n```', 2],
    ] as const)
      t.equal(mentionsIn(code).length, count, code)
    t.same(mentionsIn(`@**all** ${'x'.repeat(20_000)}`), [], 'a very long text has no marks')
  },
)

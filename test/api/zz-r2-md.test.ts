import t from 'tap'
import { startTestServer } from '../harness/start-server.ts'
import { appendFileSync, writeFileSync } from 'node:fs'
const OUT = '/tmp/R2/md.out'
writeFileSync(OUT, '')
const log = (label: string, value: unknown) => appendFileSync(OUT, `${label}\n      ${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
const server = await startTestServer(t)
const owner = server.as('owner')
await owner.subscribe(['announce'], { principals: [1, 4, 5] })
await owner.send('announce', 'Release 1.0', 'x'); await owner.send('announce', '', 'x')
await owner.must('POST', '/user_groups/create', { name: 'support', description: '', members: [1, 4] })
t.test('md', async () => {
  const texts = ['@**The member**', '@**The member|4**', '@_**The member|4**', '@**|4**', '@**Nobody**', '@**all** @**everyone** @**channel** @**stream**', '@_**all**', '@**topic** @_**topic**', '@*support* @_*support*', '@*role:administrators*', '#**announce**', '#**Announce**', '#**announce>Release 1.0**', '#**announce>nothing here**', '#**announce>**', '#**announce>Release 1.0@32**', '#**announce>@33**', '#**announce>general chat**', ':smile:', '🎉', ':zulip:', ':nope:', ':)', '`:smile:`', '```python\nx = 1\n```', '```py\nx = 1\n```', '```nosuchlang\nx = 1\n```', '```\nx <b>\n```', '    code', '```quote\nhi\n```', '> hi\nthere', '```spoiler Head *x*\nbody\n```', '```spoiler\nbody\n```', '$$x^2$$', '```math\nx^2\n```', '$$\\bad{$$', '<time:2025-07-04T10:00:00+02:00>', '<time:Jul 4 2025, 10:00>', '<time:nope>', 'https://example.com', 'example.com', 'a@example.com', '[t](https://e.com/x)', `[t](${server.node.url}/#narrow/channel/1-announce)`, `${server.node.url}/#narrow/channel/1-announce/topic/x/near/5`, 'https://e.com/a.png', '[x](https://e.com/a.png)', '![alt](https://e.com/a.png)', '![alt](/user_uploads/1/a/b.png)', '|a|b|\n|-|:-:|\n|1|2|', '~~x~~ **b** *i* _u_ __v__', 'a\nb', '* a\n* b\n  * c', '+ a\n- b', '1. a\n2. b', '<b>raw</b>', '[a][b]\n\n[b]: http://e.com', '/me does', '# H\n## H2', '---', 'a\n***', '```js\nlet a = "b"\n```', '````\n```\n````', 'https://youtu.be/dQw4w9WgXcQ', 'http://localhost:9991/x', '- a\n\n  b', '1. a\n   - b', '@**The member** `@**The member**`', 'hi\n```\ncode\n```\nthere', ':+1: :thumbs_up: 👍🏽', '[x](javascript:alert(1))', '<https://e.com>', '<a@b.co>', 'www.example.com/a_b_c', '**a** *b*c', '\\*x\\*', '&amp; & &lt;', '- [ ] todo', 'a  \nb']
  for (const content of texts) { const r = await owner.post('/messages/render', { content }); log(JSON.stringify(content), r.body.rendered ?? r.body) }
})

import { parse } from 'parse5'
import t from 'tap'
import { ENGLISH } from '../../server/texts/texts.ts'
import { field, form } from '../../server/wire/forms/parts.ts'
import { drawPage, html, htmlPage } from '../../server/wire/html.ts'

const HOSTILE = `"><script>alert('x')</script>&amp;`
const FIELD = {
  name: 'email',
  label: 'Email address',
  autocomplete: 'username',
  lengthMax: 100,
} as const

t.test('[PAGES3] text of people never becomes markup of a page', async (t) => {
  const shown = field({ ...FIELD, label: HOSTILE, value: HOSTILE, hint: HOSTILE, problem: HOSTILE })
  const { body } = drawPage(htmlPage(400, HOSTILE, shown), ENGLISH, { name: HOSTILE, icon: HOSTILE })
  t.notMatch(body, /<script|'x'/)
  const page = parse(String(body))
  t.ok(namesOf(page).includes('input'))
  t.notOk(namesOf(page).includes('script'))
  t.equal(
    String(body).match(/value="([^"]*)"/)?.[1],
    '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;',
  )
})

t.test('[PAGES4] a problem of a field is described beside it, and the focus is there alone', async (t) => {
  const fields = [
    { ...FIELD, hasFocus: true },
    { ...FIELD, name: 'code', hint: 'Six digits.' },
  ]
  const right = form(fields, 'Go on').text
  t.match(right, /id="email"[^>]* autofocus/)
  t.notMatch(right, /aria-invalid|role="alert"/)
  const wrong = form(fields, 'Go on', { wrong: { text: 'Too short.', fieldId: 'code' } }).text
  t.equal(wrong.match(/ autofocus/g)?.length, 1)
  t.match(
    wrong,
    /id="code"[^>]* aria-describedby="code-hint code-problem" aria-invalid="true"[^>]* autofocus/,
  )
  t.match(wrong, '<a href="#code">Too short.</a>')
  const alone = form([FIELD], 'Go on', { wrong: { text: 'Too short.', fieldId: 'email' } }).text
  t.equal(alone.match(/Too short\./g)?.length, 1)
  t.match(alone, '<p class="wrong" id="email-problem" role="alert">Too short.</p>')
  const whole = form(fields, 'Go on', { wrong: { text: 'Not now.', fieldId: 'absent' } }).text
  t.match(whole, '<p class="problem" role="alert" tabindex="-1" autofocus>Not now.</p>')
  t.equal(whole.match(/ autofocus/g)?.length, 1)
})

t.test('[PAGES5] entered values are shown again, except passwords', async (t) => {
  const fields = [FIELD, { ...FIELD, name: 'password', type: 'password' }] as const
  const given = new Map([
    ['email', 'entered'],
    ['password', 'secret'],
  ])
  const { text } = form(fields, 'Go on', { given, unseen: { next: undefined, state: '"' } })
  t.match(text, 'value="entered"')
  t.notMatch(text, 'secret')
  t.match(text, '<input type="hidden" name="state" value="&quot;">')
  t.notMatch(text, 'name="next"')
})

t.test('[PAGES6] a page has the picture and the name of the organization, or the logo', async (t) => {
  const headerOf = (owner?: { readonly name: string; readonly icon: string }) =>
    /<img src="([^"]*)" alt="" [^>]*>\s*<bdi>([^<]*)</
      .exec(String(drawPage(htmlPage(200, 'x', html`x`), ENGLISH, owner).body))
      ?.slice(1)
  t.same(headerOf({ name: 'مدرسة', icon: '/pictures/1' }), ['/pictures/1', 'مدرسة'])
  t.same(headerOf(), ['/static/icon.svg', 'Parley'])
})

interface Node {
  readonly nodeName: string
  readonly childNodes?: readonly Node[]
}

function namesOf(node: Node): readonly string[] {
  return [node.nodeName, ...(node.childNodes ?? []).flatMap(namesOf)]
}

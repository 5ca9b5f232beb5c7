/** Mails as mail programs write them: what is left of an answer, its files, and hostile ones. */

import t from 'tap'
import { htmlToMarkdown } from '../../workers/pool/mail/html-markdown.ts'
import { readMail } from '../../workers/pool/mail/read-mail.ts'
import { MailReader } from '../../workers/pool/mail-reader.ts'

/** A mail of some header lines and a text. */
function mail(headers: readonly string[], body: string | Buffer): Buffer {
  const all = [
    'From: Ann Lee <Ann@example.com>',
    'Subject: Re: lunch',
    'Message-ID: <1@x.example>',
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${all.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}
const plain = (text: string) =>
  mail(['Content-Type: text/plain; charset=utf-8'], text.replaceAll('\n', '\r\n'))
const html = (text: string) => mail(['Content-Type: text/html; charset=utf-8'], text)
const textOf = async (raw: Buffer) => (await readMail(raw)).text

/** Answers as mail programs write them; each says only "Yes, at noon." */
const ANSWERS: Readonly<Record<string, string>> = {
  'Gmail, with its head over two lines':
    'Yes, at noon.\n\nOn Mon, Nov 23, 2026 at 10:00 AM Team chat <\nchat@example.com> wrote:\n\n> Lunch today?\n>\n> Open conversation:\n> https://chat.example.com/\n',
  'Gmail in German':
    'Yes, at noon.\n\nAm Mo., 23. Nov. 2026 um 10:00 Uhr schrieb Team chat <\nchat@example.com>:\n\n> Lunch today?\n',
  'Gmail in Japanese':
    'Yes, at noon.\n\n2026年11月23日(月) 10:00 Team chat <chat@example.com>:\n\n> Lunch today?\n',
  'Gmail in French':
    'Yes, at noon.\n\nLe lun. 23 nov. 2026 à 10:00, Team chat <chat@example.com> a écrit :\n\n> Lunch today?\n',
  'Gmail in Polish, with its head over two lines':
    'Yes, at noon.\n\npon., 23 lis 2026 o 10:00 Team chat <chat+mm12345678@example.com>\nnapisał(a):\n\n> Lunch today?\n',
  Outlook:
    'Yes, at noon.\n\n________________________________\nFrom: Team chat <chat@example.com>\nSent: Monday, November 23, 2026 10:00 AM\nTo: Ann Lee <ann@example.com>\nSubject: lunch\n\nLunch today?\n',
  'Outlook in German':
    'Yes, at noon.\n\nVon: Team chat <chat@example.com>\nGesendet: Montag, 23. November 2026 10:00\nAn: Ann Lee <ann@example.com>\nBetreff: lunch\n\nLunch today?\n',
  'Apple Mail':
    'Yes, at noon.\n\nSent from my iPhone\n\n> On 23. Nov 2026, at 10:00, Team chat <chat@example.com> wrote:\n> \n> Lunch today?\n',
  mutt: 'On Mon, Nov 23, 2026 at 10:00:00AM +0000, Team chat wrote:\n> Lunch today?\n\nYes, at noon.\n\n-- \nAnn Lee\nExample Ltd\n',
}

t.test(
  '[READMAIL1] an answer is left without the mail that it answers, and without a signature',
  async (t) => {
    for (const [name, text] of Object.entries(ANSWERS))
      t.equal(await textOf(plain(text)), 'Yes, at noon.', name)
    const between = 'On Monday Bo wrote:\n> Lunch?\n\nYes.\n\n> At noon?\n\nAt one.\n'
    t.match(
      await textOf(plain(between)),
      /> Lunch\?\n+Yes\.\n+> At noon\?\n+At one\.$/,
      'answers keep their questions',
    )
    for (const text of ['From: here we go', 'On Monday I wrote:', '-- this is not one', 'Thanks, it works'])
      t.equal(await textOf(plain(text)), text)
    t.equal(await textOf(plain('> Lunch today?\n')), '', 'nothing was written')
  },
)

t.test('[READMAIL2] charsets, encodings and names of files are read', async (t) => {
  const latin = mail(
    ['Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: quoted-printable'],
    'Gr=FC=DFe, um zw=F6lf?=\r\n Ja',
  )
  t.equal(await textOf(latin), 'Grüße, um zwölf? Ja')
  const japanese = mail(
    ['Content-Type: text/plain; charset=ISO-2022-JP'],
    Buffer.from([0x1b, 0x24, 0x42, 0x24, 0x4f, 0x24, 0x24, 0x1b, 0x28, 0x42]),
  )
  t.equal(await textOf(japanese), 'はい')
  const encoded = await readMail(
    Buffer.from(
      'From: =?utf-8?B?w4Vzc2E=?= <A@x.example>\r\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\n\r\nHi\r\n',
    ),
  )
  t.match(encoded, { fromName: 'Åssa', from: 'a@x.example', subject: 'Grüße', messageId: '', text: 'Hi' })
  const parts = await readMail(
    mail(
      ['Content-Type: multipart/mixed; boundary=b'],
      [
        '--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nSee the plan\r\n',
        "--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename*=utf-8''pl%C3%A4n.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n",
        '--b\r\nContent-Type: image/png\r\nContent-ID: <p>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw==\r\n',
        '--b\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--b--\r\n',
      ].join(''),
    ),
  )
  t.equal(parts.text, 'See the plan')
  t.same(
    parts.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1')]),
    [
      ['plän.pdf', '%PDF'],
      ['picture.png', '\x89PNG'],
    ],
  )
})

t.test('[READMAIL3] HTML becomes Markdown, up to the mail that was answered', async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    [
      '<p>Hello <b>bold </b>and <i>more</i></p><p>Next<br>line</p>',
      'Hello **bold** and *more*\n\nNext\nline',
    ],
    ['<ul><li>one<li>two<ol><li>in</ol></ul>after', '- one\n- two\n  1. in\n\nafter'],
    [
      '<h2>Head</h2><pre>a\n  b</pre><blockquote>said<br>it</blockquote>x',
      '## Head\n\n```\na\n  b\n```\n\n> said\n> it\n\nx',
    ],
    [
      '<a href="https://x.example/a(b)">here</a> <a href="javascript:alert(1)">no</a>',
      '[here](https://x.example/a%28b%29) no',
    ],
    [
      '<style>p{}</style><script>x</script><img src="https://x.example/1.gif">Hi&nbsp;&lt;b&gt; &amp; co',
      'Hi <b> & co',
    ],
    [
      'Yes<div class="gmail_quote"><div class="gmail_attr">On Monday</div><blockquote>q</blockquote></div>',
      'Yes',
    ],
    ['<div>Yes</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: x</div>', 'Yes'],
    ['<div>Yes</div><div><blockquote type="cite">q</blockquote></div>', 'Yes'],
    ['Yes<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p>From: x</p></div>', 'Yes'],
    ['<b><b>x</b></b><b></b><table><tr><td>a</td><td>b</td></tr></table>', '**x**\n\na b'],
  ]
  for (const [given, wanted] of cases) t.equal(await textOf(html(given)), wanted, given)
  const forwarded = html('See<div class="gmail_quote">the rest</div>')
    .toString()
    .replace('Re: lunch', 'Fwd: lunch')
  t.equal(await textOf(Buffer.from(forwarded)), 'See\nthe rest')
})

t.test('[READMAIL4] mails of programs, lists and bounces are known', async (t) => {
  const kinds: readonly (readonly [string, string])[] = [
    ['Auto-Submitted: no', 'none'],
    ['Auto-Submitted: auto-replied (vacation)', 'reply'],
    ['X-Autoreply: yes', 'reply'],
    ['Content-Type: multipart/report; report-type=delivery-status; boundary=b', 'reply'],
    ['Auto-Submitted: auto-generated', 'news'],
    ['Precedence: bulk', 'news'],
    ['List-Id: <l.example.com>', 'list'],
  ]
  for (const [line, kind] of kinds) t.equal((await readMail(mail([line], 'x'))).automation, kind, line)
})

t.test('[READMAIL5] hostile mails are read within bounds, or not at all', async (t) => {
  // Enough also on a machine short of the processor: bounds of size are tested here, and the one of time below.
  const reader = new MailReader(60_000)
  t.teardown(() => reader.close())
  const deep = `<p>Yes</p>${'<div><b>'.repeat(400_000)}x`
  t.equal((await reader.read(html(deep)))?.text, 'Yes')
  const wide = await reader.read(html('<b>a</b><i> b </i>'.repeat(200_000)))
  t.ok((wide?.text.length ?? 0) < 400_000)
  let nested = 'Content-Type: text/plain\r\n\r\nx'
  for (let level = 0; level < 300; level++)
    nested = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${nested}\r\n--b${level}--\r\n`
  t.equal(await reader.read(Buffer.from(nested)), undefined, 'more levels than any program writes')
  const many = '--b\r\nContent-Type: image/png\r\n\r\nx\r\n'.repeat(5_000)
  const parts = await reader.read(mail(['Content-Type: multipart/mixed; boundary=b'], `${many}--b--`))
  t.equal(parts?.files.length, 20)
  t.equal(parts?.leftOutCount, 4_980)
  t.equal(await reader.read(mail([`X: ${'y'.repeat(300_000)}`], 'x')), undefined, 'headers without an end')
  t.equal((await reader.read(Buffer.from([0, 1, 2, 255])))?.from, '')
  t.match(
    await reader.read(plain(`${'> a\n'.repeat(200_000)}b`)),
    { text: '' },
    'what is beyond the limit is not read',
  )
  t.equal(htmlToMarkdown(`${'<a href="https://x.example">'.repeat(400)}x`, true), '[x](https://x.example)')
  const impatient = new MailReader(1)
  t.teardown(() => impatient.close())
  await t.rejects(impatient.read(html('<b>a</b><i> b </i>'.repeat(14_000))), 'it takes too long')
})

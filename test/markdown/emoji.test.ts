import t from 'tap'
import { findEmojiCode, findEmojiName } from '../../workers/pool/emoji/emoji-table.ts'
import { checkCases, emoji, html, p } from './sample.ts'

const SMILE = emoji('smile', '1f642')

t.test('[MD16] an emoji is written by its name between colons', async (t) => {
  checkCases(t, {
    ':smile:': p(SMILE),
    ':+1:': p(emoji('+1', '1f44d')),
    ':thumbs_up:': p(emoji('thumbs_up', '1f44d')),
    ':-1:': p(emoji('-1', '1f44e')),
    ':heart:': p(emoji('heart', '2764')),
    ':airplane:': p(emoji('airplane', '2708')),
    ':big_smile:': p(emoji('big_smile', '1f604')),
    ':dog:and:cat::octopus:': p(
      `${emoji('dog', '1f415')}and${emoji('cat', '1f408')}${emoji('octopus', '1f419')}`,
    ),
    'a :smile:, (:smile:)': p(`a ${SMILE}, (${SMILE})`),
    '**:smile:**': p(`<strong>${SMILE}</strong>`),
    ':smile:\n:smile:': p(`${SMILE}<br>\n${SMILE}`),
    'at ftp:cat://example.com': p(`at ftp${emoji('cat', '1f408')}//example.com`),
  })
})

t.test('[MD17] unknown emoji names stay text', async (t) => {
  checkCases(t, {
    ':no_such_one:': p(':no_such_one:'),
    'std::vector::size': p('std::vector::size'),
    ':skin-tone-2:': p(':skin-tone-2:'),
    ': smile :': p(': smile :'),
    ':smile': p(':smile'),
    '`:smile:`': p('<code>:smile:</code>'),
    '12:30:45': p('12:30:45'),
    ':SMILE:': p(':SMILE:'),
  })
})

t.test('[MD18] an emoji character is rendered by its name', async (t) => {
  checkCases(t, {
    '\u{1f389}': p(emoji('tada', '1f389')),
    '\u{1f4a9}\u{1f4a9}': p(emoji('poop', '1f4a9').repeat(2)),
    'an\u{1f47d}here': p(`an${emoji('alien', '1f47d')}here`),
    '\u2b06\ufe0f': p(emoji('up', '2b06')),
    '\u2615': p(emoji('coffee', '2615')),
    '\u2b50\u26bd': p(emoji('star', '2b50') + emoji('football', '26bd')),
    '\u2764\ufe0f \u2764': p(`${emoji('heart', '2764')} ${emoji('heart', '2764')}`),
    '#\ufe0f\u20e3': p(emoji('hash', '0023-20e3')),
    '\u{1f937}\u200d\u2640\ufe0f': p(emoji('woman_shrugging', '1f937-200d-2640')),
    'says the \u{1f916}.': p(`says the ${emoji('robot', '1f916')}.`),
    '[\u{1f916}](https://example.com)': p(`<a href="https://example.com">${emoji('robot', '1f916')}</a>`),
  })
})

t.test('[MD19] a sequence without a name, a skin tone and a plain sign stay unchanged', async (t) => {
  for (const text of [
    '\u{1f34b}\u200d\u{1f525}',
    '\u{1f44d}\u{1f3fd}',
    '\u00a9 2026',
    '\u2122',
    '#1',
    '1',
    '\u2192',
  ]) {
    t.equal(html(text, { linkifiers: [] }), p(text), text)
  }
})

t.test('[MD20] custom emoji have precedence and are images', async (t) => {
  checkCases(t, {
    ':party_cat:': p(
      '<img alt=":party_cat:" class="emoji" src="/user_avatars/2/emoji/1.png" title="party cat">',
    ),
    ':tada:': p('<img alt=":tada:" class="emoji" src="/user_avatars/2/emoji/2.png" title="tada">'),
    ':parley:': p('<img alt=":parley:" class="emoji" src="/static/emoji/parley.png" title="parley">'),
  })
})

t.test('[MD21] emoticons become emoji for users with that setting', async (t) => {
  const translating = { isTranslatingEmoticons: true }
  checkCases(
    t,
    {
      ':)': p(SMILE),
      ':) or :( or <3': p(`${SMILE} or ${emoji('frown', '1f641')} or ${emoji('heart', '2764')}`),
      'that is fine :).': p(`that is fine ${SMILE}.`),
      'really!:)?': p(`really!${SMILE}?`),
      'x:) ;)y': p('x:) ;)y'),
      ': )': p(': )'),
      '`:)`': p('<code>:)</code>'),
      ':) one\n:) two': p(`${SMILE} one<br>\n${SMILE} two`),
      'http://example.com': p('<a href="http://example.com">http://example.com</a>'),
    },
    translating,
  )
  checkCases(t, { ':) ;) <3': p(':) ;) &lt;3') })
})

t.test('[MD22] names and codes map to each other', async (t) => {
  t.equal(findEmojiCode('octopus'), '1f419')
  t.equal(findEmojiName('1f419'), 'octopus')
  t.equal(findEmojiName('1f44d'), '+1')
  t.equal(findEmojiCode('no such'), undefined)
  t.equal(findEmojiName('1f3fb'), undefined, 'a skin tone')
})

t.test('[MD23] after 1,000 emoji in a text the rest stay characters', async (t) => {
  const count = (text: string) =>
    html(text, { isTranslatingEmoticons: true }).split('class="emoji').length - 1
  t.equal(count('\u{1f916}'.repeat(3_000)), 1_000)
  t.equal(count(':robot:'.repeat(3_000)), 1_000)
  t.equal(count(':) '.repeat(3_000)), 1_000)
})

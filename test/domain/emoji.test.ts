import t from 'tap'
import { isEmojiCode } from '../../server/domain/emoji.ts'
import { findEmojiCode, isNameOfEmoji } from '../../workers/pool/emoji/emoji-table.ts'

t.test(
  '[EMOJI1] a code is the hex of an emoji that Unicode recommends, without variation selectors',
  async (t) => {
    const right = [
      '1f642',
      '2764',
      '00a9',
      '0023-20e3',
      '1f1e9-1f1ea',
      '1f44d-1f3fd',
      '270c-1f3fd',
      '1f937-200d-2640',
      '1f441-200d-1f5e8',
      '1f468-200d-1f469-200d-1f467-200d-1f466',
      '1f3f4-e0067-e0062-e0065-e006e-e0067-e007f',
    ]
    for (const code of right) t.ok(isEmojiCode(code), code)
    const wrong = [
      '',
      'smile',
      '1F642',
      '1f642 ',
      '01f642',
      'a9',
      '2764-fe0f',
      '0061',
      '0031',
      '200d',
      '1f3fd-1f44d',
      '1f642-1f642',
      '1f34b-200d-1f7ea',
      'd83d-de42',
      '1f642-',
      '10ffff',
      'fffff',
    ]
    for (const code of wrong) t.notOk(isEmojiCode(code), code)
  },
)

t.test('[EMOJI2] the common names have codes, and a known name goes with its own code only', async (t) => {
  t.equal(findEmojiCode('smile'), '1f642')
  t.equal(findEmojiCode('+1'), findEmojiCode('thumbs_up'))
  t.equal(findEmojiCode('no_such_name'), undefined)
  t.equal(findEmojiCode('constructor'), undefined)
  t.ok(isNameOfEmoji('smile', '1f642'))
  t.notOk(isNameOfEmoji('smile', '1f44d'))
  t.ok(isNameOfEmoji('some-other_name', '1f9ff'))
  for (const name of ['', 'Smile', 'a b', 'é', '🙂', ':x:']) t.notOk(isNameOfEmoji(name, '1f642'), name)
})

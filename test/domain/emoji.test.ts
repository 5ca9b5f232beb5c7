import t from 'tap'
import { isEmojiCode } from '../../server/domain/text/emoji.ts'
import { chooseReaction, findReaction } from '../../server/decisions/emoji/choose-reaction.ts'
import { describeEmoji } from '../../server/views/emoji-data.ts'
import { fail } from '../../server/errors/api-error.ts'
import type { User } from '../../server/domain/entities.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { OrganizationState } from '../../server/state/organization-state.ts'
import {
  findEmojiCode,
  findEmojiName,
  isNameOfEmoji,
  namesByCode,
} from '../../workers/pool/emoji/emoji-table.ts'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'

t.test(
  '[EMOJI1] a code is the hex of an emoji recommended by Unicode, without variation selectors',
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

t.test('[EMOJI2] the common names have codes, and a name is valid only with its own code', async (t) => {
  t.equal(findEmojiCode('smile'), '1f642')
  t.equal(findEmojiCode('+1'), findEmojiCode('thumbs_up'))
  t.equal(findEmojiCode('no_such_name'), undefined)
  t.equal(findEmojiCode('constructor'), undefined)
  t.ok(isNameOfEmoji('smile', '1f642'))
  t.notOk(isNameOfEmoji('smile', '1f44d'))
  t.ok(isNameOfEmoji('some-other_name', '1f9ff'))
  for (const name of ['', 'Smile', 'a b', 'é', '🙂', ':x:']) t.notOk(isNameOfEmoji(name, '1f642'), name)
})

t.test('[EMOJI15] an emoji name means the emoji that clients show for it', async (t) => {
  const families: Record<string, string> = {
    '274e': 'x',
    '274c': 'cross_mark incorrect wrong',
    '1f319': 'moon',
    '1f39f': 'ticket',
    '1f405': 'tiger',
    '1f42f': 'tiger_cub',
    '2764': 'heart love love_you',
    '2665': 'hearts',
    '1f615': 'oh_no half_frown concerned confused',
    '1f49b': 'yellow_heart',
    '1f604': 'big_smile',
    '1f69b': 'truck tractor-trailer big_rig semi_truck transport_truck',
    '1f1e6-1f1fd': 'flag_åland_islands flag_aland_islands',
  }
  for (const [code, names] of Object.entries(families)) {
    for (const name of names.split(' ')) t.equal(findEmojiCode(name), code, name)
    t.equal(findEmojiName(code), names.split(' ')[0], code)
  }
})

t.test('[EMOJI16] every emoji name works in texts, in reactions and in the list for clients', async (t) => {
  const sent = describeEmoji().code_to_names
  const scope = { state: new OrganizationState(), caller: { id: 7 as UserId } as User, fail }
  const wrong: string[] = []
  let count = 0
  for (const [code, names] of namesByCode()) {
    const shown = renderMarkdown(names.map((name) => `:${name}:`).join(' ')).html
    if (shown.split(`class="emoji emoji-${code}"`).length !== names.length + 1) wrong.push(`${code} in text`)
    if (!isEmojiCode(code)) wrong.push(code)
    for (const [index, name] of names.entries()) {
      count++
      const title = name.replaceAll('_', ' ')
      if (!shown.includes(` title="${title}">:${name}:</span>`)) wrong.push(`${name} in text`)
      if (sent[code]?.[index] !== name) wrong.push(`${name} in the file of names`)
      const given = { name, code: undefined, type: undefined }
      const reaction = chooseReaction(scope, given, [])
      if (reaction.emojiCode !== code) wrong.push(`${name} as a reaction`)
      chooseReaction(scope, { ...given, code }, [])
      if (findReaction(scope, given, [reaction]) !== reaction) wrong.push(`${name} taken back`)
    }
  }
  t.same(wrong, [])
  t.ok(count >= 4_161, 'the 3,308 names of the clients, and ours')
})

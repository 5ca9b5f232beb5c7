/** Emoji of the client: their groups, characters and search, against the list that the server sends. */

import t from 'tap'
import { charactersOf, type Emoji, joinEmoji } from '../../client/store/emoji/emoji.ts'
import { groupEmoji } from '../../client/store/emoji/emoji-groups.ts'
import { searchEmoji } from '../../client/store/emoji/search-emoji.ts'
import { emojiText, inSkinTone, readSkinTone, SKIN_TONES } from '../../client/store/emoji/skin-tone.ts'
import { describeEmoji } from '../../server/views/emoji-data.ts'

// As it arrives: JSON moves keys of digits only to the front.
const { code_to_names } = JSON.parse(JSON.stringify(describeEmoji())) as ReturnType<typeof describeEmoji>
const groups = groupEmoji(code_to_names)
const all = groups.flatMap(({ emoji }) => emoji)

t.test('[EMOJI20] the picker has every emoji of the server once, in groups', async (t) => {
  t.same(all.map(({ code }) => code).sort(), Object.keys(code_to_names).sort())
  const groupOf = (name: string) =>
    groups.find(({ emoji }) => emoji.some((one) => one.names[0] === name))?.name
  t.equal(groupOf('grinning'), 'Smileys')
  t.equal(groupOf('heart'), 'Smileys')
  t.equal(groupOf('wave'), 'People')
  t.equal(groupOf('coffee'), 'Food')
  t.equal(groupOf('check_mark'), 'Symbols')
  t.equal(groupOf('checkered_flag'), 'Flags')
})

t.test('[EMOJI21] each code is shown as an emoji that Unicode recommends', async (t) => {
  const wrong = all.filter(({ code }) => !/^\p{RGI_Emoji}$/v.test(charactersOf(code)))
  t.same(
    wrong.map(({ code }) => code),
    [],
  )
})

t.test('[EMOJI22] a search finds whole names first, then starts of names, words and parts', async (t) => {
  const names = (words: string) => searchEmoji(all, words, 20).map(({ names }) => names[0])
  t.equal(names('heart')[0], 'heart')
  t.equal(names('thumbsup')[0], '+1')
  t.ok(names('thumbs d').includes('-1'))
  t.same(names('  '), [])
  t.same(names('(*^'), [])
})

t.test('[EMOJI23] an emoji of the organization takes the place of one with the same name', async (t) => {
  const own = { names: ['heart'], code: '7', type: 'realm_emoji', picture: '/own.png' } as const
  const joined = joinEmoji([own], all)
  t.same(
    joined.filter(({ names }) => names[0] === 'heart'),
    [own],
  )
  t.equal(joined.length, all.length)
})

t.test('[EMOJI27] a skin tone changes emoji of one person, as Unicode recommends, and no others', (t) => {
  const named = (name: string) => all.find(({ names }) => names[0] === name) as Emoji
  for (const tone of SKIN_TONES) {
    const wrong = all
      .map((emoji) => charactersOf(inSkinTone(emoji, tone).code))
      .filter((characters) => !/^\p{RGI_Emoji}$/v.test(characters))
    t.same(wrong, [], tone)
  }
  t.equal(emojiText(inSkinTone(named('+1'), '1f3fd')), '👍🏽')
  t.equal(emojiText(inSkinTone(named('woman_shrugging'), '1f3ff')), '🤷🏿‍♀️')
  t.equal(emojiText(inSkinTone(named('tada'), '1f3fd')), ':tada:')
  t.equal(emojiText(inSkinTone(named('+1'), '')), ':+1:')
  t.equal(readSkinTone('1f3fd'), '1f3fd')
  t.equal(readSkinTone('1f389'), undefined)
  t.end()
})

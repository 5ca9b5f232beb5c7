import t from 'tap'
import {
  AlertIndex,
  refreshAlerted,
  countTokens,
  findAlerted,
  wordKey,
} from '../../server/domain/personal/alert-words.ts'
import type { UserId } from '../../server/domain/ids.ts'

const user = (id: number) => id as UserId
const indexOf = (...words: readonly string[][]) => {
  const index = new AlertIndex()
  for (const [at, some] of words.entries()) index.place(user(at + 1), some)
  return index
}

t.test('[ALERT1] a word matches as a whole, in any case', async (t) => {
  const index = indexOf(['Parley'], ['c++'], ['ΣΑΣ', 'été'], ['@here', '42'], ['под'], ['❤️'])
  const found: readonly (readonly [text: string, userIds: number[]])[] = [
    ['', []],
    ['parley', [1]],
    ['(PARLEY), they said', [1]],
    ["**parley**'s _parley_", [1]],
    ['parleys unparley par ley parley_2', []],
    ['do you like c++?', [2]],
    ['do you like C++.', [2]],
    ['vitamin c + d', []],
    ['c', []],
    ['σας Été', [3]],
    ['hello @here', [4]],
    ['here', []],
    ['4242 or 42', [4]],
    ['подарок', []],
    ['Под столом', [5]],
    ['I ❤️ it', [6]],
    ['parley c++ σας 42', [1, 2, 3, 4]],
  ]
  for (const [text, userIds] of found) t.same(index.find(text), userIds, text)
})

t.test('[ALERT2] a phrase matches its words in order and adjacent, whatever their spacing', async (t) => {
  const index = indexOf(['out of order'], ['order'], ['out-of-order', 'of  the   order'])
  t.same(index.find('It is out of order'), [1, 2])
  t.same(index.find('It is OUT\n  OF\torder!'), [1, 2])
  t.same(index.find('out of the order'), [2, 3])
  t.same(index.find('out-of-order'), [2, 3])
  t.same(index.find('out of, order'), [2])
  t.same(index.find('out of'), [])
  t.equal(wordKey('Out  OF order'), wordKey('out of ORDER'))
  t.not(wordKey('out of order'), wordKey('out ofOrder'))
  t.not(wordKey('c++'), wordKey('c + +'))
  t.equal(countTokens('out of order'), 3)
  t.equal(countTokens(' c++ '), 3)
  t.equal(countTokens(' '), 0)
})

t.test('[ALERT3] removed words no longer match, and those of other users still do', async (t) => {
  const index = indexOf(['tea', 'tea time', 'coffee'], ['tea time'])
  t.same(index.find('tea time'), [1, 2])
  index.place(user(1), ['coffee'])
  t.same(index.find('tea time, coffee'), [1, 2])
  t.same(index.find('tea time'), [2])
  index.place(user(2), [])
  t.same(index.find('tea time'), [])
  t.notOk(index.isEmpty)
  index.place(user(1), [])
  t.ok(index.isEmpty)
  t.same([...index.words], [])
})

t.test('[ALERT4] matches are computed again if words change meanwhile', async (t) => {
  const index = indexOf(['tea'])
  const alerted = findAlerted('tea and coffee', index)
  t.same(refreshAlerted(alerted, index), [1])
  index.place(user(2), ['coffee'])
  t.same(refreshAlerted(alerted, index), [1, 2])
  index.place(user(1), [])
  t.same(refreshAlerted(alerted, index), [2])
})

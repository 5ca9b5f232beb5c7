/** Messages in the manner of four languages: words by Zipf's law, so that some are in most messages and most in few. */

/** Distinct words of each alphabet. */
const WORDS = 60_000
/** Distinct words of languages without spaces. */
const UNSPACED_WORDS = 20_000
/** Distinct characters of Chinese and Japanese each. */
const CHARACTERS = 2_500

const ENGLISH = ['st', 'r', 'pl', 'm', 'th', 'c', 'd', 'sh', 'w', 'n', 'b', 'l', 'f', 'k', 'gr', 't']
const ENGLISH_ENDS = ['a', 'e', 'ing', 'o', 'er', 'ion', 'u', 'ea', 'al', 'y', 'en', 'i']
const GERMAN = ['sch', 'w', 'br', 'v', 'z', 'k', 'tr', 'g', 'f', 'h', 'l', 'm', 'st', 'n', 'ß', 'd']
const GERMAN_ENDS = ['ung', 'ä', 'ei', 'o', 'en', 'ü', 'ie', 'au', 'er', 'ö', 'a', 'heit']

/** A message to store. */
export interface SearchText {
  readonly topic: string
  readonly content: string
}

/** A word of a language by its rank: 0 is the most common. */
export function wordOf(language: 'english' | 'german', rank: number): string {
  const [starts, ends] = language === 'english' ? [ENGLISH, ENGLISH_ENDS] : [GERMAN, GERMAN_ENDS]
  // Every rank has its own word: its digits in base of the syllables.
  let word = ''
  for (let left = rank; left > 0 || word === ''; ) {
    word += starts[left % starts.length]
    left = Math.floor(left / starts.length)
    word += ends[left % ends.length]
    left = Math.floor(left / ends.length)
  }
  return word
}

/** A word of a language without spaces by its rank: one or two characters, as most words. */
export function unspacedWordOf(language: 'chinese' | 'japanese', rank: number): string {
  if (rank < 200) return characterOf(language, rank)
  return (
    characterOf(language, (rank * 7_919) % CHARACTERS) + characterOf(language, (rank * 104_729) % CHARACTERS)
  )
}

function characterOf(language: 'chinese' | 'japanese', number: number): string {
  if (language === 'japanese' && number < 80) return String.fromCodePoint(0x3042 + number)
  return String.fromCodePoint((language === 'chinese' ? 0x4e00 : 0x6000) + number * 3)
}

/** Generates messages; the same ones for the same seed. */
export function* makeSearchTexts(count: number, seed: number): Generator<SearchText> {
  const random = makeRandom(seed)
  // By Zipf's law each rank has about as many hits as its logarithm's share.
  const rank = (ranks: number) => Math.floor(ranks ** random()) - 1
  const words = (language: 'english' | 'german') =>
    Array.from({ length: 4 + Math.floor(random() * 14) }, () => wordOf(language, rank(WORDS)))
  const sentence = (language: 'chinese' | 'japanese') =>
    Array.from({ length: 2 + Math.floor(random() * 10) }, () =>
      unspacedWordOf(language, rank(UNSPACED_WORDS)),
    ).join('')
  for (let index = 0; index < count; index++) {
    const topic = `${wordOf('english', Math.floor(random() * 400))} ${Math.floor(random() * 50)}`
    const content = [
      () => words('english').join(' '),
      () => words('german').join(' '),
      () => `${sentence('chinese')}，${sentence('chinese')}。`,
      () => `${sentence('japanese')}、${sentence('japanese')}`,
    ][Math.floor(random() * 4)] as () => string
    // Some messages contain a unique link or name.
    const rare = random() < 0.1 ? ` https://example.com/items/${Math.floor(random() * 1e9).toString(36)}` : ''
    yield { topic, content: content() + rare }
  }
}

function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

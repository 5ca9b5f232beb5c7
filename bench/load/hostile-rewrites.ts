/** Rewrites of long messages: ordinary ones, and ones that are slow to compare. */

const LENGTH = 10_000

/** Two contents of one message. */
export interface Rewrite {
  readonly name: string
  readonly previous: string
  readonly now: string
}

/** The same each time. */
export const REWRITES: readonly Rewrite[] = [
  rewrite('a word in the middle', prose(1), prose(1).replace('w', 'changed w')),
  rewrite('each tenth word', prose(1), prose(1).replace(/((?:\S+\s){9})\S+/g, '$1changed')),
  rewrite('another text of the same words', prose(1), prose(2)),
  rewrite('80 words at random', random(80, 3), random(80, 4)),
  rewrite('150 words at random', random(150, 5), random(150, 6)),
  rewrite('in reverse', prose(1), prose(1).split(' ').reverse().join(' ')),
  rewrite('every other letter', 'a b '.repeat(2_500), 'b a '.repeat(2_500)),
  rewrite('50 letters, out of step', letters(1), letters(37)),
  rewrite('bold words', '**a** '.repeat(1_666), '**b** '.repeat(1_666)),
  rewrite('short paragraphs', 'a\n\n'.repeat(3_333), 'b\n\n'.repeat(3_333)),
  rewrite('quotes', '> a\n\n'.repeat(2_000), '> b\n\nc\n'.repeat(1_400)),
  rewrite('lists', '- a\n  - b\n'.repeat(1_000), '- b\n  - a\n'.repeat(1_000)),
  rewrite('tables', 'a|b\n-|-\n '.repeat(1_111), 'a|c\n-|-\nd'.repeat(1_111)),
  rewrite('links', '[a](/b) '.repeat(1_250), '[a](/c) '.repeat(1_250)),
  rewrite('code', `~~~js\n${'let a = 1\n'.repeat(990)}~~~`, `~~~js\n${'let b = 1\n'.repeat(990)}~~~`),
]

function rewrite(name: string, previous: string, now: string): Rewrite {
  return { name, previous: previous.slice(0, LENGTH), now: now.slice(0, LENGTH) }
}

function prose(seed: number): string {
  return random(600, seed)
}

function random(wordCount: number, seed: number): string {
  let state = seed
  const words: string[] = []
  for (let length = 0; length < LENGTH; length += (words.at(-1)?.length ?? 0) + 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    words.push(`w${Math.floor((state / 2 ** 32) * wordCount).toString(36)}`)
  }
  return words.join(' ')
}

function letters(step: number): string {
  return Array.from({ length: 5_000 }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * step) % 100)),
  ).join(' ')
}

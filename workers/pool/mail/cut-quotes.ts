/** Leaves what somebody wrote of an answer: without the mail that it answers, and without a signature. */

import EmailReplyParser from 'email-reply-parser'

/** Characters that are read: people write less, and what is quoted comes last. */
const TEXT_LENGTH_MAX = 100_000
/** A line that introduces a quote, in any language: it ends with an address and a colon. */
const QUOTE_HEAD = /^(?=.{1,400}$).*<?[^\s<>]+@[^\s<>]+>?.{0,40}[:：]$/u
/** The first of two such lines: the word for "wrote" has gone to the second. */
const HEAD_BEGIN = /^(?=.{1,300}$).+<[^\s<>]+@[^\s<>]+>$/u

/** The written part: quotes between two answers stay, since these need them. */
export function cutQuotes(text: string): string {
  const joined = text
    .slice(0, TEXT_LENGTH_MAX)
    .replaceAll('\r\n', '\n')
    .replaceAll(/<\n([^\n<>]{1,200}>)/g, '<$1') // Mail programs wrap the line before a quote.
    .replaceAll(/\n(<[^\n<>\s]{1,200}@[^\n<>\s]{1,200}>[^\n]{0,40}[:：]\n)/gu, ' $1')
  const fragments = new EmailReplyParser().read(joined).getFragments()
  const isWritten = (index: number) => {
    const one = fragments[index]
    return one !== undefined && !one.isQuoted() && !one.isHidden() && !one.isSignature() && !one.isEmpty()
  }
  const written = fragments.map((_, index) => index).filter(isWritten)
  const [first, last] = [written[0], written.at(-1)]
  if (first === undefined || last === undefined) return ''
  const isAnswerBelow = written.length === 1
  const answer = fragments.slice(isAnswerBelow ? first : 0, last + 1).map((one) => one.getContent())
  const isCut = last < fragments.length - 1
  return withoutHead(answer.join('\n').trim(), isCut)
}

/** Without the line that introduces the quote behind it. */
function withoutHead(text: string, isCut: boolean): string {
  if (!isCut) return text
  const lines = text.split('\n')
  const [before = '', last = ''] = [lines.at(-2)?.trim(), lines.at(-1)?.trim()]
  const length = QUOTE_HEAD.test(last)
    ? 1
    : HEAD_BEGIN.test(before) && QUOTE_HEAD.test(`${before} ${last}`)
      ? 2
      : 0
  return length === 0 ? text : lines.slice(0, -length).join('\n').trim()
}

/** The common parts of the messages of all forges: pushes, topics, and texts of people. */

import { bold, bullets, code, counted, link, paragraphs, plain, quoted } from './markdown.ts'

/** Commits of a push that a message lists. */
const COMMITS_MAX = 20
/** Characters of a commit's id. */
const ID_LENGTH = 11

export interface Commit {
  readonly id: string
  readonly url: string
  /** Of which the first line is shown. */
  readonly message: string
}

export interface Push {
  readonly who: string
  /** Without `refs/heads/`. */
  readonly branch: string
  readonly url: string
  readonly commits: readonly Commit[]
  /** May be more than the commits that the sender lists. */
  readonly total: number
  readonly kind: 'pushed' | 'forced' | 'created' | 'deleted'
}

/** The message of a push to a branch. */
export function describePush({ who, branch, url, commits, total, kind }: Push): string {
  const name = plain(who)
  if (kind === 'deleted') return `${name} deleted the branch ${code(branch)}.`
  const verb = kind === 'forced' ? 'force pushed' : 'pushed'
  if (total === 0)
    return kind === 'created'
      ? `${name} ${link('created', url)} the branch ${code(branch)}.`
      : `${name} ${link(verb, url)} to branch ${code(branch)}. Head is now ${code(commits[0]?.id.slice(0, ID_LENGTH) ?? 'elsewhere')}.`
  const what = `${counted(total, 'commit')} to ${kind === 'created' ? 'the new ' : ''}branch ${code(branch)}`
  const items = commits
    .slice(0, COMMITS_MAX)
    .map(({ id, url: at, message }) => `${plain(firstLine(message))} (${link(id.slice(0, ID_LENGTH), at)})`)
  return paragraphs(`${name} ${link(verb, url)} ${what}.`, bullets(items, total))
}

/** The branch or tag of a full reference. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '')
}

export function firstLine(text: string): string {
  return text.split(/[\r\n]/, 1)[0] ?? ''
}

/** `repository / issue #7 Title`. */
export function topicOf(repository: string, kind: string, id: string, title: string): string {
  return `${repository} / ${kind} ${id} ${title}`
}

/** Something that a person did, with what they wrote. */
export function did(who: string, what: string, text = ''): string {
  const sentence = `${plain(who)} ${what}`
  if (text.trim() !== '') return `${sentence}:\n\n${quoted(text)}`
  return /[.!?](?:\*\*)?$/.test(sentence) ? sentence : `${sentence}.`
}

/** An issue or a request to merge, as its number and its title. */
export function numbered(kind: string, id: string, title: string, url: string): string {
  return `${link(`${kind} ${id}`, url)}${title === '' ? '' : ` ${bold(title)}`}`
}
